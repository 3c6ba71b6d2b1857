"""What errors say in Swedish."""

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

SWEDISH: Final = table(
    "swedish",
    failure(
        CERTAIN,
        """
        nullreferens* | null referens | nullpekare | förväntade … null | förväntade … none
        förväntade … undefined | förväntades … null | förväntades … none | förväntades … undefined
        väntade … null | väntade … none | väntade … undefined | förväntat … null
        förväntat … none | förväntat … undefined | fick null | fick none | fick undefined
        objektreferens* | instans av ett objekt | interna mallen | intern mall | interna tabellen
        interna modulen | inte implementera* | ej implementera* | segmenteringsfel
        utanför gränserna | index utanför | indexet låg utanför | serialisera* | serialisering*
        division med noll | dividera med noll | delning med noll | ohanterat undantag
        programmeringsfel | programfel | fel i koden | omöjligt tillstånd | stackspill
        variabeln … inte definierad | variabeln … är inte definierad | variabeln … odefinierad
        är inte definierad | odefinierad* | finns inte i ordlistan | oväntad typ
        modulen … hittades inte | har inget attribut | genererade frågan | utdataschema*
        """,
    ),
    conversion(
        CERTAIN,
        """
        kolumnen … existerar inte | kolumnen … finns inte | kolumnen … saknas
        relationen … existerar inte | relationen … finns inte | relationen … saknas
        tabellen … existerar inte | tabellen … finns inte | tabellen … saknas | okänd kolumn
        syntaxfel | kunde inte tolka | kunde inte avkoda | kunde inte konvertera
        kunde inte parsa | ogiltig json
        """,
    ),
    environment(
        CERTAIN,
        """
        kunde inte ansluta | kan inte ansluta | ansluta till databasen | anslutningen nekades
        anslutningen vägrades | anslutningen bröts | anslutningen avbröts
        anslutningen misslyckades | förbindelse vägras | papper | skrivaren … papper
        skrivaren … toner | skrivaren … offline | certifikat* | certifikat … gått ut | svarar inte
        svarade inte | inget svar | fick inget svar | miljövariabel* | inte konfigurerad*
        inte konfigurerat | inte installera* | ledigt utrymme | diskutrymme | disken är full
        enheten är full | databasen … låst | tjänsten … nere | tjänsten … överbelastad
        tjänsten … returnerade ett fel | tjänsten … går inte att nå | servern … nere
        servern … överbelastad | servern … returnerade ett fel | servern … går inte att nå
        systemet … nere | systemet … överbelastad | systemet … returnerade ett fel
        systemet … går inte att nå | leverantören … nere | leverantören … överbelastad
        leverantören … returnerade ett fel | leverantören … går inte att nå | går inte att nå
        kunde inte nå* | underhåll | tillfälligt | överbelastad* | tidsgräns* | tog för lång tid
        nätverksfel | okänd värd | slut på minne | skrivskyddat | dödläge | ur funktion
        driftstopp | driftstörning*
        """,
    ),
    environment(STRONG, "anslutning"),
    business(
        STRONG,
        """
        redan | otillräcklig* | hittades inte | hittades inga | kunde inte hittas
        kan inte hittas | hittar inte | finns inte | finns ingen | finns inga | existerar inte
        saknar behörighet | saknar rättighet* | behörighet saknas | slut i lager | slutsåld*
        fullbokad* | fullbokat | måste | får inte | får ej | minst | högst | nekades | nekas
        avvisades | ogiltig* | felaktig* | fel lösenord | okänd* | krävs | obligatorisk* | saknas
        saknar | för lång* | för kort* | för stor* | för liten | överskrid* | har gått ut
        utgången | upptagen | upptaget | logga in | inte inloggad | inte tillåt* | inte behörig
        ej tillåt* | inte tillgänglig* | stöds inte | stöds ej | välj en | välj ett | ange en
        ange ett | spärrad* | stängd* | stämmer inte | matchar inte | kan inte tas bort
        kan inte avbokas | kan inte ändras | dubblett* | endast | är inte giltig*
        får inte vara tom
        """,
    ),
    unclear(
        FAIR,
        """
        fel uppstod | fel har uppstått | fel inträffade | något gick fel | försök igen | okänt fel
        internt fel | oväntat fel | misslyckades | kontakta administratören | kontakta support*
        kunde inte slutföras | kunde inte utföras | problem uppstod | åtgärden avbröts
        """,
    ),
)
