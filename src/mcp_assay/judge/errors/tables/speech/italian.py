"""What errors say in Italian."""

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

ITALIAN: Final = table(
    "italian",
    failure(
        CERTAIN,
        """
        puntatore nullo | riferimento nullo | non implementato | non implementata
        eccezione non gestita | indice fuori | divisione per zero | mi aspettavo | ricevuto null
        ottenuto null | restituito null | è null | arrivato null | ricevuto undefined
        ottenuto undefined | è undefined | valore nullo | oggetto nullo | è nullo | è nulla
        istanza di oggetto | riferimento a un oggetto | fuori dai limiti
        fuori dall'intervallo dell* | modello interno | template interno | tabella interna
        modulo interno | serializzazione del | serializzazione della | serializzare la risposta
        serializzare il risultato | errore di segmentazione | dividere per zero
        non è implementat* | non ancora implementat* | errore di programmazione
        errore nel codice | stato impossibile | non presente nel dizionario | overflow dello stack
        eccezione non gestit* | asserzione | tipo inatteso | cast di oggetti
        variabile … non definita | variabile … non è definita | funzione … non definita
        funzione … non è definita | modulo … non trovato | non ha l'attributo | non ha il metodo
        query interna | query generata | schema di output
        """,
    ),
    conversion(
        CERTAIN,
        """
        colonna … non esiste | relazione … non esiste | tabella … non esiste | colonna sconosciuta
        errore di sintassi | formato della stringa di input | impossibile interpretare
        impossibile decodificare | impossibile deserializzare | impossibile convertire
        json non valido
        """,
    ),
    environment(
        CERTAIN,
        """
        tempo scaduto | non risponde | irraggiungibile | non raggiungibile | sovraccarico
        impossibile connettersi | variabile d'ambiente | non configurato | non configurata
        non è configurato | non installato | spazio su disco | non ha risposto
        connessione rifiutata | connessione interrotta | connessione persa | connessione chiusa
        connessione scaduta | stabilire la connessione | stampante … carta
        stampante … inchiostro | stampante … toner | stampante … spenta | carta esaurita
        database … bloccato | database … irraggiungibile | spazio esaurito | disco pieno
        senza spazio | certificato del server | certificato ssl | certificato tls
        certificato digitale del | certificato … scaduto | certificato … server
        certificato … attendibile | manca la variabile | variabile … non impostata
        variabile … non è impostata | manca la configurazione | impossibile contattare
        impossibile raggiungere | impossibile collegarsi | nessuna risposta | ha impiegato troppo
        host sconosciuto | errore di rete | memoria insufficiente
        autenticazione … fallita per l'utente | troppe connessioni | sola lettura | non installat*
        fuori servizio | non è stato configurat* | non è stata configurat* | non è configurat*
        """,
    ),
    environment(STRONG, "connessione | manutenzione | temporaneamente"),
    environment(FAIR, "non disponibile | certificato | chiave api"),
    business(
        CERTAIN,
        """
        non disponibile per | credenziali di accesso | buono regalo | dati di connessione
        """,
    ),
    business(
        STRONG,
        """
        non trovato | non trovata | non è stato trovato | non è stata trovata | non esiste
        non esistono | non valido | non valida | non è valido | non è valida | già | obbligatorio
        obbligatoria | richiesto | richiesta | deve essere | devono essere | deve | devono
        non hai i permessi | permesso | permessi | autorizzazione | non autorizzato
        accesso negato | vietato | scaduto | scaduta | sconosciuto | sconosciuta | troppo | almeno
        al massimo | al minimo | supera | eccede | limite | insufficiente | manca | mancante
        non può | non puoi | nessun | nessuna | nessuno | non corrisponde | non consentito
        non consentita | occupato | occupata | prenotato | vuoto | errato | errata
        non supportato | fuori dal | esaurito | esaurita | non sufficient* | non più in
        precede quella | precede la | rifiutat* | non esistente | non esistenti | non corrett*
        successiva a | antecedente | viola il vincolo | vincolo univoco | duplicato | duplicata
        duplicati | non riconosciut* | non registrat* | non appartiene | non risulta
        posti esauriti | esaurit* | scegli un* | scegliere un* | seleziona un* | selezionare un*
        inserire un* | inserisci un* | effettua l'accesso | effettuare l'accesso | accedi
        sessione scaduta | solo il | solo gli | solo i | soltanto | permesso negato | non hai
        non ha i permessi | non dispone | non possiede | sospes* | bloccato per
        fondi insufficienti | credito insufficiente | superat* | raggiunto il limite | maggiore di
        minore di | inferiore a | superiore a | in uso | non ammess* | non abilitat*
        non autorizzat* | non sono valid* | non valid* | sbagliat* | annullato in precedenza
        non disponibili | chius* | fuori orario | non è consentit* | inesistent* | non trovat*
        non è possibile | al completo
        """,
    ),
    unclear(
        FAIR,
        """
        si è verificato un errore | errore sconosciuto | errore interno | errore imprevisto
        qualcosa è andato storto | operazione fallita | operazione non riuscita | riprova
        riprovare | impossibile completare | errore durante | qualcosa non ha funzionato
        qualcosa è andato | non è stato possibile completare | si è verificato un problema
        contattare l'amministratore | contatta l'amministratore | operazione annullata
        errore generico | errore inatteso | eccezione imprevista
        impossibile eseguire l'operazione | impossibile elaborare
        """,
    ),
)
