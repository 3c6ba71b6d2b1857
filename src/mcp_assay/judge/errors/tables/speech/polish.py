"""What errors say in Polish."""

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

POLISH: Final = table(
    "polish",
    failure(
        CERTAIN,
        """
        odwołanie do wartości null | odwołanie do null | odwołanie do obiektu
        wystąpienie obiektu | pusty wskaźnik | pustego wskaźnika | wskaźnik null
        oczekiwano … null | oczekiwano … none | oczekiwano … undefined | spodziewano … null
        spodziewano … none | spodziewano … undefined | otrzymano null | otrzymano none
        otrzymano undefined | zwrócono null | zwrócono none | zwrócono undefined | jest null
        jest none | jest undefined | wewnętrznego szablonu | wewnętrzny szablon
        szablon wewnętrzny | wewnętrzna tabela | wewnętrznej tabel* | wewnętrzny moduł
        poza granice tablicy | poza granicami | indeks poza | zaimplementowan*
        niezaimplementowan* | serializować odpowied* | serializowa* | zserializowa* | serializacji
        dzielenie przez zero | dzielenia przez zero | naruszenie ochrony pamięci
        nieobsłużony wyjątek | nieobsługiwany wyjątek | błąd programu | błąd w kodzie
        błąd programistyczny | niemożliwy stan | przepełnienie | zmienna … nie jest zdefiniowana
        zmienna … niezdefiniowana | funkcja … nie jest zdefiniowana | nie jest zdefiniowan*
        brak w słowniku | nieoczekiwany typ | moduł … nie został znaleziony | nie ma atrybutu
        nie ma metody | wygenerowane zapytanie | schematem wyjściow*
        """,
    ),
    conversion(
        CERTAIN,
        """
        kolumna … nie istnieje | relacja … nie istnieje | tabela … nie istnieje | nieznana kolumna
        błąd składni | nie można sparsować | nie można zdekodować | nie można przekonwertować
        nie udało się sparsować | nie udało się zdekodować | nie udało się przetworzyć json
        nie udało się przekonwertować | nieprawidłowy json
        """,
    ),
    environment(
        CERTAIN,
        """
        nawiązać połączenia | połączenia z | połączenie odrzucone | połączyć się z
        połączenie … odrzucone | połączenie … przerwane | połączenie … utracone
        połączenie … zerwane | drukarce … papier | drukarka … papier | drukarka … papieru
        drukarka … offline | drukarka … toner | brak papieru | certyfikat* | nie odpowiada
        brak odpowiedzi | brak miejsca na | dysk pełny | dysk jest pełny | zmiennej środowiskowej
        zmienna środowiskowa | zmiennych środowiskowych | limit czasu | czas oczekiwania
        przekroczono czas | upłynął czas | baza danych … zablokowana | konserwacj*
        prace serwisowe | przerwa techniczna | prac technicznych | tymczasowo | przeciążon*
        nie skonfigurowano | nieskonfigurowan* | nie jest skonfigurowan* | nie jest zainstalowan*
        niezainstalowan* | nieosiągaln* | błąd sieci | brak sieci | nieznany host | zakleszczenie
        brak pamięci | tylko do odczytu | awari*
        """,
    ),
    environment(STRONG, "połączenie"),
    environment(FAIR, "niedostępny"),
    business(
        STRONG,
        """
        już | zarezerwowan* | niewystarczając* | nie ma takiego | nie ma takiej | nieprawidłow*
        niepoprawn* | nieważn* | nieznan* | błędne hasło | brak towaru | brak wolnych
        brak środków | brak uprawnień | brak dostępu | brak wymagan* | brakuje | musi | muszą
        co najmniej | co najwyżej | maksymaln* | minimaln* | odrzucon* | wygasł* | zaloguj
        nie masz | nie może | nie mogą | nie można usunąć | nie można anulować | nie można zmienić
        nie wolno | zabronion* | niedozwolon* | przekroczono … limit | przekroczono limit
        przekracza | limitu | wymagan* | nie znalezion* | nie odnalezion* | nie istnieje
        nie istnieją | zajęt* | wyprzedan* | niedostępny dla | niedostępne dla | zablokowane konto
        konto … zablokowane | hasło | zduplikowan* | narusza | podaj | wybierz | wprowadź
        nie obsługuj* | nieobsługiwan* | zbyt | za długi* | za krótki* | za duż* | za mał*
        nie pasuje | nie zgadza | tylko właściciel | puste | pusty | poza zakresem | wcześniejsz*
        późniejsz* | nieupoważnion* | nieautoryzowan* | odmowa dostępu | anulowan*
        """,
    ),
    unclear(
        FAIR,
        """
        wystąpił nieoczekiwany błąd | nieoczekiwany błąd | coś poszło nie tak | spróbuj ponownie
        nie powiodł* | nieznany błąd | błąd wewnętrzny | wewnętrzny błąd | wystąpił problem
        skontaktuj się | operacja anulowana | operacja została anulowana | nie udało się wykonać
        nie udało się przetworzyć | błąd podczas | wystąpił wyjątek
        """,
    ),
)
