"""What errors say in Czech."""

from __future__ import annotations

from typing import Final

from mcp_assay.judge.errors.patterns import (
    CERTAIN,
    FAIR,
    STRONG,
    business,
    conversion,
    environment,
    failure,
    table,
    unclear,
)

CZECH: Final = table(
    "czech",
    failure(
        CERTAIN,
        """
        nulového odkazu | nulový odkaz | nulový ukazatel | odkaz na objekt | instanci objektu
        přišlo null | přišlo none | přišlo undefined | dostal null | dostal none
        dostal undefined | obdržen null | obdržen none | obdržen undefined | obdrženo null
        obdrženo none | obdrženo undefined | vráceno null | vráceno none | vráceno undefined
        je null | je none | je undefined | interní šablon* | interní tabulk* | interní modul
        neošetřen* | nezachycen* | dělení nulou | dělit nulou | není implementován*
        neimplementován* | dosud neimplement* | serializovat | serializace | serializaci
        mimo hranice | mimo rozsah pole | index mimo | přetečení | chyba v kódu | chyba programu
        programátorsk* | nemožný stav | neoprávněný přístup do paměti | proměnná … není definována
        funkce … není definována | není definován* | nedefinovan* | neočekávaný typ
        modul … nenalezen | nemá atribut | nemá metodu | vygenerovaný dotaz
        vygenerovaného dotazu | výstupnímu schématu
        """,
    ),
    conversion(
        CERTAIN,
        """
        sloupec … neexistuje | relace … neexistuje | tabulka … neexistuje | neznámý sloupec
        chyba syntaxe | syntaktická chyba | nelze zpracovat json | nelze dekódovat | nelze převést
        nelze parsovat | neplatný json
        """,
    ),
    environment(
        CERTAIN,
        """
        nelze se připojit | nepodařilo se připojit | připojit k | připojení k | připojení bylo
        připojení selhalo | spojení odmítnuto | spojení přerušeno | spojení ztraceno
        spojení selhalo | spojení | papír* | tiskárně | tiskárny | certifikát* | neodpovídá
        neodpověděl* | žádná odpověď | bez odpovědi | proměnná prostředí | proměnné prostředí
        proměnnou prostředí | není nastaven* | není nakonfigurován* | nenakonfigurov*
        není nainstalován* | není nainstalovan* | časový limit | čas vypršel | vypršel čas
        databáze … uzamčena | databáze … zamčena | databáze … nedostupn | nedostupn* | údržb*
        dočasně | přetížen* | není volné místo | místo na disku | disk je plný | plný disk
        nedosažiteln* | chyba sítě | síťová chyba | neznámý hostitel | nedostatek paměti
        pouze pro čtení | mimo provoz | výpad*
        """,
    ),
    business(
        STRONG,
        """
        již | nebyl nalezen* | nebyla nalezen* | nebylo nalezen* | nenalezen* | neexistuj*
        nedostateč* | nemáte oprávnění | nemáte | nemá oprávnění | chybí oprávnění
        přístup odepřen | přístup odmítnut | přístup zamítnut | neplatn* | není platn*
        není skladem | vyprodán* | musí | nesmí | nelze zrušit | nelze smazat | nelze změnit
        nelze rezervovat | alespoň | nejméně | nejvýše | maximáln* | zamítnut* | odmítnut*
        obsazen* | vypršel* | neznám* | nesprávn* | chybné heslo | špatn* | heslo | povinn*
        vyžadován* | požadován* | chybí | překročen* | překračuje | přihlaste se | přihlásit
        zadejte | vyberte | zvolte | nepodporován* | není podporován* | není povolen* | nepovolen*
        zakázán* | duplicit* | příliš | neshoduj* | neodpovídá formátu | pouze vlastník | prázdn*
        není k dispozici | zablokovaný účet | účet … zablokován | nedostupný pro | už
        """,
    ),
    unclear(
        FAIR,
        """
        došlo k chybě | nastala chyba | vyskytla se chyba | něco se pokazilo | zkuste to znovu
        zkuste to později | neznámá chyba | interní chyba | vnitřní chyba | neočekávaná chyba
        došlo k neočekávané | operace selhala | operace se nezdařila | nezdařil* | selhal*
        kontaktujte správce | kontaktujte podporu | nepodařilo se dokončit
        nepodařilo se zpracovat | operace byla zrušena | došlo k problému
        """,
    ),
)
