"""What errors say in Dutch."""

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

DUTCH: Final = table(
    "dutch",
    failure(
        CERTAIN,
        """
        null verwijzing | nullverwijzing | null referentie | nullpointer* | objectverwijzing*
        verwacht … null | verwacht … none | verwacht … undefined | verwachtte … null
        verwachtte … none | verwachtte … undefined | verwachtten … null | verwachtten … none
        verwachtten … undefined | null ontvangen | null gekregen | kreeg null | ontving null
        undefined ontvangen | kreeg undefined | interne sjabloon | intern sjabloon | interne tabel
        interne module | interne query | buiten de matrixgrenzen | buiten de grenzen
        index buiten | niet geïmplementeerd | serialiseren | serialisatie | delen door nul
        deling door nul | segmentatiefout | programmeerfout | programmafout | fout in de code
        onmogelijke toestand | niet afgehandelde uitzondering | onverwerkte uitzondering
        onafgehandelde | stapeloverloop | variabele … niet gedefinieerd
        functie … niet gedefinieerd | is niet gedefinieerd | niet in de woordenlijst
        onverwacht type | module … niet gevonden | heeft geen attribuut | gegenereerde query
        uitvoerschema
        """,
    ),
    conversion(
        CERTAIN,
        """
        kolom … bestaat niet | tabel … bestaat niet | relatie … bestaat niet | onbekende kolom
        syntaxisfout* | syntaxfout* | kan … niet parseren | kan … niet ontleden
        kan … niet decoderen | kan … niet converteren | ongeldige json
        """,
    ),
    environment(
        CERTAIN,
        """
        geen verbinding | verbinding is geweigerd | verbinding geweigerd | verbinding verbroken
        verbinding mislukt | verbinding verloren | verbinding … mislukt | verbinding … geweigerd
        verbinding … database | verbinding … server | printer … papier | printer … toner
        printer … inkt | printer … reageert niet | papier … op | certificaat
        certificaat … verlopen | certificaat … server | reageert niet | antwoordt niet
        geen antwoord | geen reactie | omgevingsvariabele* | niet ingesteld | niet geconfigureerd
        niet geïnstalleerd | geen ruimte meer | schijf vol | schijf is vol | schijfruimte
        buiten gebruik | buiten werking | onderhoud | tijdelijk | time out | verlopen wachttijd
        tijdslimiet | te lang geduurd | duurde te lang | overbelast | onbereikbaar | netwerkfout
        onbekende host | onvoldoende geheugen | alleen lezen
        """,
    ),
    environment(STRONG, "verbinding"),
    environment(FAIR, "niet beschikbaar"),
    business(
        STRONG,
        """
        niet gevonden | bestaat niet | bestaan niet | al geboekt | is al | zijn al | al in gebruik
        reeds | onvoldoende | geen rechten | geen toestemming | geen bevoegdheid | niet bevoegd
        niet toegestaan | toegang geweigerd | toegang ontzegd | op voorraad | uitverkocht
        volgeboekt | moet | moeten | mag niet | mogen niet | minstens | minimaal | maximaal
        hoogstens | ten minste | geweigerd door | afgewezen | verlopen | ongeldig* | onbekend*
        onjuist* | verkeerd* | verplicht* | vereist* | ontbreekt | ontbreken | te lang | te kort
        te groot | te klein | te veel | overschreden | overschrijdt | kies een | vul een
        geef een | voer een | log opnieuw | inloggen | niet ingelogd | ligt voor | ligt na
        kan niet worden geannuleerd | kan niet worden gewijzigd | niet ondersteund | niet herkend
        wachtwoord | geblokkeerd | gesloten | komt niet overeen | geen resultaten
        niet meer beschikbaar | alleen de | geen | buiten het bereik | dubbel* | al bestaat
        """,
    ),
    unclear(
        FAIR,
        """
        fout opgetreden | ging iets mis | iets mis gegaan | iets misgegaan | is mislukt | mislukt
        onbekende fout | interne fout | onverwachte fout | probeer het later | probeer het opnieuw
        neem contact op | kon niet worden voltooid | kon niet worden uitgevoerd
        bewerking geannuleerd
        """,
    ),
)
