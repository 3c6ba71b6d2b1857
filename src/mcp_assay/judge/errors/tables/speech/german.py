"""What errors say in German."""

from __future__ import annotations

from typing import Final

from mcp_assay.judge.errors.patterns import (
    CERTAIN,
    FAINT,
    FAIR,
    STRONG,
    business,
    conversion,
    environment,
    failure,
    table,
    unclear,
)

GERMAN: Final = table(
    "german",
    failure(
        CERTAIN,
        """
        objektverweis* | objektinstanz | nullreferenz* | null referenz | nullzeiger*
        erwartet … null | erwartet … none | erwartet … undefined | erwartete … null
        erwartete … none | erwartete … undefined | erwarteten … null | erwarteten … none
        erwarteten … undefined | null erhalten | null bekommen | undefined erhalten
        undefined bekommen | erhielt null | erhielt none | erhielt undefined | bekam null
        bekam none | bekam undefined | interne vorlage | internes template | interne tabelle
        internes modul | interne abfrage | arraybereich* | index … außerhalb
        außerhalb des gültigen indexbereichs | speicherzugriffsfehler | serialisiert werden
        serialisierung | ist nicht definiert | durch 0 | durch null geteilt | division durch null
        division durch 0 | unbehandelte ausnahme | nicht abgefangene ausnahme | ausnahmefehler
        programmierfehler | softwarefehler | fehler im code | unmöglicher zustand | stapelüberlauf
        stack überlauf | nicht im wörterbuch | kann nicht in typ | unerwarteter typ
        modul … nicht gefunden | hat kein attribut | hat keine methode | noch nicht implementiert
        erzeugte abfrage | ausgabeschema | endlosschleife
        """,
    ),
    failure(STRONG, "absturz | abgestürzt | programmfehler | nicht implementiert"),
    conversion(
        CERTAIN,
        """
        spalte … existiert nicht | relation … existiert nicht | tabelle … existiert nicht
        unbekannte spalte | syntaxfehler | eingabezeichenfolge | nicht geparst werden
        nicht dekodiert werden | nicht deserialisiert werden | nicht konvertiert werden
        ungültiges json
        """,
    ),
    environment(
        CERTAIN,
        """
        zeitüberschreitung | verbindung | nicht erreichbar | nicht zur verfügung | wartung
        wartungsarbeiten | überlastet | dienst … nicht | server antwortet nicht | keine antwort
        nicht konfiguriert | nicht installiert | speicherplatz | datenbank … gesperrt
        datenbank … down | drucker … papier | drucker … toner | drucker … tinte
        drucker … offline | drucker … nicht bereit | papierstau | kein papier
        zertifikat … abgelaufen | zertifikat … server | zertifikat … servers
        zertifikat … ungültig | zertifikat … vertrauenswürdig | zertifikat … überprüf
        zertifikatsfehler | zertifikatsprüfung | einstellung … fehlt | konfiguration … fehlt
        fehlt … konfiguration | fehlt … in der konfiguration | fehlt … umgebungsvariable
        nicht gesetzt | nicht eingerichtet | authentifizierung für benutzer | verbindungsaufbau*
        verbindungsfehler | verbindungsabbruch | zielcomputer | host ist unbekannt
        unbekannter host | nicht genügend speicher | arbeitsspeicher | schreibgeschützt*
        datenträger | festplatte | antwortet nicht | antwortete nicht | nicht geantwortet
        netzwerkfehler | vorübergehend | derzeit gestört | störung | außer betrieb | verklemmung
        umgebungsvariable*
        """,
    ),
    environment(FAIR, "nicht verfügbar | zertifikat"),
    business(CERTAIN, "ausverkauft"),
    business(
        STRONG,
        """
        nicht gefunden | existiert nicht | gibt es nicht | ungültige | ungültiger | ungültiges
        bereits | darf nicht | dürfen nicht | muss | müssen | erforderlich | fehlt | fehlen
        keine berechtigung | nicht erlaubt | zugriff verweigert | verboten | abgelaufen
        unbekannter | unbekannte | unbekanntes | zu lang | zu kurz | zu groß | zu klein
        höchstens | mindestens | nicht unterstützt | kontingent | guthaben | belegt | vergeben
        gesperrt | kein … gefunden | keine … gefunden | keinen … gefunden | wurde kein
        wurde keine | wählen sie | geben sie | nicht möglich | schon vorhanden | überschritten
        nicht zulässig | nicht ausreichend | nicht angemeldet | anmelden | leer | falsch
        falsches | außerhalb | abgelehnt | eingelöst | ausgebucht | nicht gedeckt | ungedeckt
        nicht vorrätig | nicht auf lager | zugangsdaten | ungültig* | verletzt … constraint
        stornier* | doppelt* | nicht registriert | nicht bekannt | unzulässig* | nur der | nur für
        nicht berechtigt | unzureichend* | passwort … falsch | benutzername oder | geschlossen
        keine plätze | keine freien | fährt … nicht | stimmt nicht überein | stimmen nicht überein
        liegt vor | liegt nach | in der vergangenheit | deckung | wird nicht unterstützt
        nicht lieferbar | nicht zugelassen | überschreitet | melden sie sich | loggen sie
        kein zugriff | nicht freigegeben | vergriffen
        """,
    ),
    unclear(
        FAIR,
        """
        fehler aufgetreten | unbekannter fehler | interner fehler | unerwarteter fehler
        etwas ist schiefgelaufen | fehlgeschlagen | schiefgegangen | vorgang abgebrochen
        problem aufgetreten | ist ein problem | wenden sie sich | konnte nicht ausgeführt
        konnte nicht durchgeführt | konnte nicht abgeschlossen | konnte nicht verarbeitet
        nicht erfolgreich | versuchen sie es | allgemeiner fehler | systemfehler
        ausnahme aufgetreten | leider ist | wurde abgebrochen
        """,
    ),
    unclear(FAINT, "fehler"),
)
