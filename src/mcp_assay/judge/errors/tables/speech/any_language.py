"""Names of nothing and errors inside sentences of any language."""

from __future__ import annotations

from typing import Final

from mcp_assay.judge.errors.patterns import (
    CERTAIN,
    FAIR,
    STRONG,
    business,
    environment,
    failure,
    table,
    unclear,
)

ANY_LANGUAGE: Final = table(
    "any language",
    failure(
        CERTAIN,
        """
        nullのプロパティ | undefinedのプロパティ | undefinedの | undefined의 | null의 | null 的
        undefined 的 | diccionario intern* | dicionário intern* | dizionario intern*
        dictionnaire intern* | internen wörterbuch | внутреннем словаре | внутренний словарь
        внутрішньому словнику | no debería estar | no debería ser | no debería ocurrir
        no debería pasar | no debería suceder | não deveria estar | não deveria ser
        não deveria ocorrer | não deveria acontecer | non dovrebbe essere | non dovrebbe accadere
        non dovrebbe succedere | ne devrait pas être | ne devrait pas arriver
        ne devrait pas se produire | sollte nicht passieren | sollte nicht vorkommen
        sollte nicht leer sein | sollte nicht auftreten | не должно происходить | не должно было
        не должен был | не мало б | zou niet mogen | nie powinn* | borde inte | nemělo by
        variable no inicializada | no inicializad* | não inicializad* | non inizializzat*
        non initialisé* | nicht initialisiert | не инициализирован* | ініціалізован*
        niet geïnitialiseerd | niezainicjalizowan* | inte initiera* | neinicializovan*
        初期化されていません | 초기화되지 않 | 未初始化 | valor indefinido
        índice … fora da lista | índice … fora do intervalo | índice … fuera de la lista
        índice … fuera del intervalo | indice … fuori dalla lista | indice … fuori dall'intervallo
        индекс … вне | индекс … за пределами | 空のリスト | 빈 목록에서 | 빈 리스트 | 空列表
        lista vacía interna | leere liste | 型エラー | 타입 오류 | tipo de dato inesperado
        tipo de dados inesperado | неожиданный тип данных | неочікуваний тип даних
        estado inconsistente | estado interno | stato interno | état interne
        внутреннее состояние | внутреннего состояния | interner zustand | internen zustand
        内部状态 | 内部状態 | 내부 상태 | se ha roto un invariante
        """,
    ),
    environment(
        CERTAIN,
        """
        niet bereikbaar | zaman aşımı | 연결할 수 없습니다 | 점검 | papel en la impresora
        tinta en la impresora | tóner en la impresora | papel na impressora
        carta nella stampante | papier dans l'imprimante | papier im drucker | бумаги в принтере
        archivo … dañado | abrir la base de datos | abrir o banco de dados | aprire il database
        открыть базу данных | ouvrir la base | datenbank … geöffnet | comunicação com
        comunicación con | comunicazione con | communication avec | kommunikation mit
        связи с сервером | связаться с | зв'язатися з | não está acessível | não acessível
        no está accesible | no es accesible | n'est pas accessible | n'est pas joignable
        non è accessibile | не удаётся подключ* | не удаётся связ* | не удается подключ*
        オフライン | 届きません | 접속하지 못 | 오프라인 | tidak bisa dihubungi
        tidak dapat dihubungi | tidak bisa diakses | ne répond plus | ya no responde
        antwortet nicht mehr | отклонил подключение | отклонил соединение | تعذر الوصول إلى الخادم
        sunucusuna … ulaşılam | sunucusuna … bağlan | sunucuya | संपर्क नहीं
        """,
    ),
    environment(
        FAIR,
        """
        gangguan | impresora | impressora | stampante | imprimante | drucker | принтер | tiskárna
        drukarka | skrivaren
        """,
    ),
    business(
        STRONG,
        """
        ongeldige | bestaat al | geen toegang | nie znaleziono | nieprawidłowy | nieprawidłowa
        już istnieje | wymagane | ogiltigt | bulunamadı | 찾을 수 없습니다 | 존재하지 않습니다
        유효하지 않은 | 잘못된 | 이미 | 권한이 없습니다 | 필수 | importe mínim* | valor mínim*
        monto mínim* | cantidad mínim* | compra mínima | pedido mínimo | pesa más de | más de … mb
        más de … kb | más de … gb | não é mais válid* | já não é | acima do | abaixo do
        non può più | non è più | больше остатка | больше доступн* | превыша* | нельзя отменить
        過ぎています | 過ぎました | 使えません | 限度額 | 期限 | 終了しました | 지났습니다
        종료되었습니다 | 기한이 | 끝났습니다 | kan niet meer | kan inte längre | inte längre
        już nie | nie można już | artık | již nelze | již není | більше не | не можна
        الحد المسموح | يتجاوز | لم يعد | अब … नहीं | अब … रद्द | hết hiệu lực | không còn hiệu lực
        không áp dụng | tidak berlaku | tidak lagi | δεν μπορεί πλέον | δεν ισχύει | πλέον
        kann nicht mehr | nicht mehr | ne peut plus | n'est plus valable | 无法取消 | 无法预订
        无法删除 | 无法修改 | 已结束 | 已截止 | 已无法
        """,
    ),
    unclear(
        FAIR,
        """
        er is een fout opgetreden | wystąpił błąd | ett fel uppstod | 오류가 발생했습니다
        tidak diketahui | đã có sự cố | đã xảy ra sự cố | no hemos podido procesar
        quelque chose n'a pas | n'a pas fonctionné | ocurrió un fallo | falha inesperada
        fallo inesperado | iets fout gegaan | coś się zepsuło | blev fel | vyskytl se problém
        виникла проблема | कोई समस्या | δεν πήγε καλά | 問題が起きました | 문제가 생겼습니다
        出了点状况
        """,
    ),
)
