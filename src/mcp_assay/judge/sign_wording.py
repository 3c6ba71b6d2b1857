"""The forms by which a response is known for what its isError does not say: data, and no logic.

Every form is anchored: it is about how a short text begins, or about the whole of it. What a
document, a log or a message says somewhere in the middle is its own affair.
"""

from __future__ import annotations

import re
from typing import Final

from mcp_assay.text.names import word_set

FLAGS: Final = word_set("success ok succeeded successful issuccess")
"""Members that are true or false by whether a call succeeded; written as `member_word` does."""
ERRORS: Final = word_set(
    """
    error errors err errormessage errormessages errormsg errmsg errortext errordetail errordetails
    errordescription errorreason exception
    fehler fehlermeldung erreur errore erro erros errores mensajedeerror fout foutmelding fel virhe
    feil fejl błąd blad chyba hata hiba eroare kesalahan lỗi ошибка помилка σφάλμα خطأ त्रुटि
    错误 錯誤 エラー 오류
    """
)
"""Members that hold what went wrong, and are empty or absent where nothing did."""
ERROR_TRUTHS: Final = word_set(
    """
    iserror error failed haserror
    fehler fehlgeschlagen erreur errore erro fout fel virhe feil fejl błąd blad chyba hata hiba
    eroare kesalahan lỗi ошибка помилка σφάλμα خطأ त्रुटि 错误 錯誤 エラー 오류
    """
)
"""Members that are true where a call failed."""
ERROR_FLAGS: Final = word_set("iserror")
"""Those of them that mean nothing else."""
FAILURE_COUNTS: Final = word_set(
    "failed failures errors errorcount errorscount failedcount numerrors failurecount"
)
"""Members that count failures: where nothing else is there, they are all there is."""
EXIT_CODES: Final = word_set("exitcode returncode exitstatus rc")
"""Members that hold how a program ended: 0 is well."""
NOTHING_FOUND: Final = 1
"""The code of programs that search or compare where they find nothing, or a difference."""
COMPLAINTS: Final = "stderr"
"""The member with what such a program says besides."""
OUTPUTS: Final = word_set("stdout stderr output command cmd args")
"""Members that stand beside such a code where a program was run."""
MESSAGES: Final = word_set(
    """
    message msg reason detail details description title text
    meldung nachricht grund mensagem mensaje messaggio motivo bericht meddelande mensagemerro mesaj
    pesan wiadomość сообщение повідомлення 消息 訊息 信息 メッセージ 메시지
    """
)
"""Members that hold words about a failure where another member says that it is one."""
CONTENTS: Final = word_set("description title text")
"""Those that things have, too."""
ASIDES: Final = word_set(
    """
    code status statuscode errorcode errortype errno type timestamp requestid traceid correlationid
    hint suggestion suggestions retryable retryafter documentationurl instance tool
    hinweis vorschlag sugestão sugestao sugerencia suggerimento 提示 建议 ヒント
    """
)
"""Members that stand beside such words and are no result."""
CHOICES: Final = ("allowed", "available", "didyoumean", "expected", "supported", "valid")
"""How the names of members begin that list what may be asked for instead."""
FINDINGS: Final = word_set("valid isvalid passed compliant conforms matches healthy")
"""Members that are false where something was looked at and found wanting: that is an answer."""
TRUTHS: Final = FLAGS | ERROR_TRUTHS | FINDINGS
"""Members that say something by being true; others only stand beside, such as cached."""
STATES: Final = word_set("status state outcome result type")
FAILED_STATES: Final = word_set(
    "error failed failure fail rejected denied aborted exception not_found unauthorized forbidden"
)
STATES_OF_THINGS: Final = word_set("rejected denied aborted")
"""Those that an application has, or a loan: an answer, where one was asked for it."""
UNFINISHED_STATES: Final = word_set("stub not_implemented unimplemented todo placeholder mock")
PASSED_STATES: Final = word_set("success ok succeeded successful completed done")
STATUS_CODES: Final = word_set("statuscode httpstatus")
"""Members that hold an HTTP status."""
SUCCESS_STATUSES: Final = range(200, 300)
WRAPPERS: Final = word_set("result data response output payload body")
"""The one member of an object that only holds another."""
STEP_MEMBERS: Final = word_set(
    """
    confirmationrequired requiresconfirmation needsconfirmation confirmrequired
    awaitingconfirmation requiresauth authrequired requiresauthentication authenticationrequired
    requireslogin loginrequired needsauth
    """
)
"""Members that are true where something must be done before."""
STEP_STATES: Final = word_set("pending_confirmation pending_approval")
STEP_BEGINS: Final = word_set("requires needs awaiting awaits")
STEP_ENDS: Final = word_set("required needed")
"""How states begin or end by which something must be done before: login_required, needs_setup."""

_KINDS: Final = (
    *("api", "connection", "critical", "database", "db", "execution", "fatal", "file", "http"),
    *("internal", "internal server", "io", "network", "parse", "parser", "parsing", "query"),
    *("request", "runtime", "server", "service", "sql", "syntax", "system", "timeout", "tool"),
    *("unexpected", "unhandled", "unknown", "upstream", "validation"),
)
_ACTIONS: Final = (
    *("access", "acquir", "add", "allocat", "analyz", "appl", "authenticat", "build", "call"),
    *("clon", "clos", "compil", "complet", "comput", "connect", "convert", "copy", "creat"),
    *("decod", "delet", "deploy", "determin", "download", "edit", "encod", "establish", "evaluat"),
    *("execut", "export", "extract", "fetch", "flush", "generat", "get", "import"),
    *("initializ", "initialis", "insert", "install", "invok", "launch", "list", "load", "lock"),
    *("merg", "modify", "mov", "obtain", "open", "pars", "perform", "process", "provision"),
    *("publish", "push", "pull", "query", "reach", "read", "receiv", "remov", "renam", "render"),
    *("request", "resolv", "retriev", "rout", "run", "sav", "scan", "schedul", "search", "send"),
    *("set", "spawn", "start", "stop", "stor", "submit", "subscrib", "sync", "translat", "updat"),
    *("upload", "validat", "verify", "writ"),
)
"""Verbs without their endings: "error handling" is a subject, "error fetching" a failure."""


def _form(*alternatives: str, end: str = "") -> re.Pattern[str]:
    """A form that has one of these alternatives."""
    return re.compile(f"(?:{'|'.join(alternatives)}){end}")


_VERB: Final = rf"(?:{'|'.join(_ACTIONS)})"
_DOING: Final = rf"{_VERB}(?:ting|ning|ing)\b"
_KIND: Final = rf"(?:(?:{'|'.join(_KINDS)}) )?"
_ERROR: Final = (
    "(?:error|exception|fehler|erreur|errore|erro|ошибка|помилка|错误|錯誤|エラー|오류|에러|fout"
    "|błąd|hata|fel|chyba|خطأ|त्रुटि|lỗi|kesalahan|σφάλμα|virhe|feil|fejl|hiba|eroare)"
)
_ERROR_NOUNS: Final = (
    "catching|checking|classifying|correcting|detecting|estimating|handling|logging|mapping"
    "|masking|messaging|modeling|modelling|monitoring|propagating|reporting|scaling|tracking"
)
"""What is done to errors: a subject, where "error inspecting" is a failure."""
_CODE: Final = r"[*_`\]]{0,3} ?(?:\(?[a-z]{0,4}[ -]?-?\d{1,5}\)?)?"
_MEASURE: Final = r"\s{0,3}[-+±~]?\d{0,9}(?:\.\d|\d ?%)"
"""What follows where an error is the distance from what is right."""
_COLON: Final = rf" ?(?:[:\uff1a!]|- |— )(?!{_MEASURE})"
_UNABLE: Final = "(?:failed to|could not|couldn't|cannot|can't|can not|unable to|failure to)"
_WORK: Final = "(?:request|operation|command|call|query|upload|download|login|build)"
OPENING: Final = _form(
    rf"(?:an? )?{_KIND}{_ERROR}{_CODE}{_COLON}",
    rf"(?:an? )?{_KIND}{_ERROR} (?:code )?[#(]?-?\d{{3,5}}\)?[.!]?$",
    rf"(?:an? )?{_KIND}{_ERROR} (?:has )?occurred\b",
    rf"(?:an? )?{_KIND}{_ERROR} (?:while|when|during|in|on|for) {_DOING}",
    rf"(?:an? )?{_KIND}{_ERROR} {_DOING}[^:.\n]{{0,80}}[:.]",
    rf"(?:an? )?{_KIND}{_ERROR} (?!(?:{_ERROR_NOUNS})\b)[a-z]{{3,20}}ing [^:.\n]{{1,80}}: \S",
    r"traceback \(most recent call last\)",
    rf"{_UNABLE} {_VERB}\w{{0,3}}\b[^\n]{{0,200}}(?::|[.]?$)",
    rf"(?:{_VERB}\w{{0,3}}|[a-z]{{2,20}}ing|{_WORK})"
    r" failed(?:[:!]|[.]?$| with\b| because\b| due to\b)",
)
"""How a text begins that reports an error; it is matched in small letters."""

NOT_READ: Final = _form(
    rf"{_UNABLE} (?:access|fetch|get|list|load|obtain|query|read|retriev|search)\w{{0,3}}\b"
)
"""How a text begins by which a tool says that it could not read; matched in small letters."""

_REASONS: Final = (
    "bad request|unauthorized|payment required|forbidden|not found|method not allowed|conflict|gone"
    "|unprocessable entity|unprocessable content|too many requests|internal server error"
    "|bad gateway|service unavailable|gateway timeout|not implemented"
)
SIGNATURE: Final = _form(
    r"[A-Za-z_][\w.$]{0,80}(?:Error|Exception|Fault)(?: ?\[\w{1,40}\])?: \S",
    r"(?:panic|PANIC|FATAL|fatal error|uncaught exception): \S",
    r"(?:connect|read|write|open|spawn|spawnSync|getaddrinfo|listen|bind|stat)"
    r"(?: \S{1,80})? E[A-Z]{3}",
    r"E[A-Z]{4,12}: \S",
    r"\[(?:Errno|WinError) -?\d{1,5}\] \S",
    r"net::ERR_[A-Z_]{3,40}",
    r"thread '[^'\n]{1,60}' panicked at",
    r"MCP error -32\d{3}",
    r"(?:HTTP|http)(?:/[\d.]{1,3})?(?: [Ee]rror)?:? [45]\d\d\b",
    rf"[45]\d\d:? (?i:{_REASONS})\b",
    r"(?i:request failed with status code [45]\d\d)",
    r"(?:\^|level=|status=|severity=)?(?:error|fatal)[ ,;]{1,2}(?:msg|message|reason|err|error)=\S",
)
"""How a text begins that a machine made of an error."""

_THING: Final = r"[\w'\"`«»./\\:@#*-]{1,120}"
_NAME: Final = r"[\w.-]{1,120}"
_ABSENT: Final = (
    r"(?:not found|(?:was|were|is|are|could) ?(?:not|n't) (?:be )?found|does not exist"
    r"|doesn't exist|do not exist|no longer exists)"
)
NOT_THERE: Final = _form(
    rf"(?:the |this |that |an? )?(?:{_THING} ){{0,5}}?{_ABSENT}"
    rf"(?:[.!]?$|: {_THING}[.!]?$| (?:in|at|for|with|by|under) [^\n]{{1,80}}$)",
    rf"(?:no such|unknown) [\w -]{{2,40}}(?:: ?| ){_THING}[.!]?$",
)
"""A short text that says of one thing that it is not there; matched in small letters."""
NONE_FOUND: Final = re.compile(
    r"<?(?:no|0) (?:[\w-]{1,30} ){1,4}(?:(?:was|were) )?(?:found|yet|available|recorded)[.!]?>?"
)
"""A sentence that says that there are no such things; matched in small letters."""
_REFUSAL: Final = (
    r"(?:permission denied|access (?:is )?denied|(?:not |un)authori[sz]ed|forbidden"
    r"|operation not permitted|rate limit (?:was )?exceeded|too many requests|quota exceeded"
    r"|invalid (?:or missing )?(?:api key|credentials|token)|authentication (?:failed|required)"
    r"|invalid (?:argument|parameter|input|request|arguments|parameters)"
    r"|missing (?:required )?(?:argument|parameter|field|property)s?"
    r"|(?:request|connection|operation|query|call) timed out|connection (?:refused|reset|closed)"
    r"|service (?:is )?(?:temporarily )?unavailable)"
)
REFUSED: Final = _form(
    rf"{_REFUSAL}(?:[.!]?$|[:;,] [^\n]{{1,200}}$)",
    rf"(?!forbidden ){_REFUSAL} (?:for|to|by|on) ",
    rf"invalid [a-z_ -]{{2,30}}: {_THING}",
)
"""A short text that is a refusal and nothing else; matched in small letters."""
REQUEST: Final = re.compile(
    r"(?:please |you must |you need to )?(?:provide|specify|supply|enter|include|pass)\b"
    r"[^\n]{1,250}$"
)
"""What is asked of the caller: a refusal where it is an argument that was not sent."""
DEMAND: Final = re.compile(
    rf"(?:the )?(?:argument |parameter |field )?[`'\"]?({_NAME})[`'\"]? "
    r"(?:is required|is invalid|must be|must not be)\b[^\n]{0,80}$"
)
"""What is asked of one thing: a refusal where that is an argument, else a fact like any other."""

_SUBJECT: Final = r"[\w .'\"`()-]{1,80}?"
_OF_CODE: Final = (
    r"(?:[\w .'\"`()-]{0,60}?\b)?(?:this|it|tool|feature|function|functionality|method|command"
    r"|endpoint|operation|action|support|handler|api|implementation|integration|module)s? "
)
"""A subject that is a part of a program; a museum that is not ready yet is a fact."""
_MISSING_CODE: Final = (
    r"(?:(?:not|n't) (?:yet |been ){0,3}implemented|(?:yet |still )?to be implemented"
    r"|(?:only |just )?an? (?:stub|placeholder)|unimplemented)(?: yet| here| so far)?"
)
_NOT_YET: Final = (
    r"(?:(?:not|n't) (?:yet |been ){0,3}(?:written|supported yet|available yet|ready yet)"
    r"|(?:currently )?under (?:construction|development))(?: yet| here| so far)?"
)
NOT_IMPLEMENTED: Final = _form(
    r"(?:todo|tbd|tba|fixme|stub|placeholder|coming soon|under construction|unimplemented"
    r"|not (?:yet )?(?:been )?implemented(?: yet)?|to be implemented|implementation pending"
    r"|work in progress|no implementation(?: yet)?)[ .!…-]{0,4}$",
    r"todo:? ?(?:implement|write|add|finish)\b",
    r"(?:stub|placeholder|dummy|mock(?:ed)?) (?:response|result|data|output|implementation)"
    r"(?:[.!:]|$| for\b)",
    rf"{_SUBJECT}(?:is|are|has|have) {_MISSING_CODE}(?:[.!,;:(]|$)",
    rf"{_OF_CODE}(?:is|are|has|have) {_NOT_YET}(?:[.!,;:(]|$)",
    rf"{_SUBJECT}(?:isn't|hasn't been|aren't) (?:yet )?implemented(?: yet)?(?:[.!,;:(]|$)",
    r"(?:implementation|functionality|support|feature)[\w ]{0,30} "
    r"(?:coming soon|to follow|will be (?:added|implemented))",
    rf"{_SUBJECT}will be implemented\b",
    rf"{_OF_CODE}(?:is|are) (?:not|n't) (?:yet )?(?:available|supported|ready|enabled)"
    r"(?: yet\b|[^.\n]{0,40} yet\b)",
    r"not (?:yet )?(?:supported|available|implemented) yet\b",
    r"not yet (?:supported|available|implemented)\b",
    r"(?:placeholder|dummy|stub|mock(?:ed)?|fake)\b[\w ]{1,30}[.:!]",
    r"lorem ipsum\b",
    rf"{_SUBJECT}does nothing(?: yet)?(?:[.!]|$)",
)
"""A short text that says that the tool has nothing behind it yet; matched in small letters."""
_SIGN_IN: Final = "(?:log ?in|sign in|authenticate|authori[sz]e)"
_CONFIRMED: Final = r"[`'\"]?confirm(?:ed|ation)?[`'\"]?(?: ?= ?| to )[`'\"]?(?:true|yes)"
ANOTHER_STEP: Final = _form(
    r"(?:please )?confirm (?:that|this|the|with|by|you|to|deletion|before)\b",
    r"are you sure\b",
    r"(?:this|the) [^.\n]{0,80}(?:requires?|needs?) (?:your |a |user |explicit )?"
    r"(?:confirmation|approval)",
    r"(?:confirmation|approval) (?:is )?(?:required|needed)",
    r"to (?:confirm|proceed|continue)[^.\n]{0,60},? (?:please )?"
    r"(?:call|run|set|pass|use|reply|repeat)",
    r"(?:call|run|repeat|invoke)[^.\n]{0,80} again with \w{1,60}",
    rf"(?:pass|set|use|add|with) {_CONFIRMED}",
    r"(?:please )?(?:first )?(?:call|run|use|invoke) [`'\"]?[a-z]\w{0,40}[_.-]\w{1,60}[`'\"]?"
    r"[^.\n]{0,60} first\b",
    rf"(?:you )?(?:must|need to|have to|should) (?:first )?(?:{_SIGN_IN}|call|run|connect|select"
    r"|open|initiali[sz]e)\b[^.\n]{0,80}\b(?:first|before)\b",
    rf"please {_SIGN_IN}\b",
    rf"(?:please )?(?:visit|open|go to) [^\n]{{1,200}} to {_SIGN_IN}\b",
    r"(?:you are |you're )?not (?:logged|signed) in\b",
    r"do you (?:really )?want to\b",
    r"(?:safety |user |explicit |manual )?(?:confirmation|approval) (?:is )?(?:required|needed)",
)
"""A short text that asks for something before it does what was asked for."""
DRY_RUN: Final = re.compile(r"dry[ -]run\b")
"""How a short text begins that says what would be done."""
CALL_AGAIN: Final = _form(
    r"[^\n]{0,60}\b(?:call|run|repeat|retry|invoke|send|submit)\b[^.\n]{0,60} (?:again )?with "
    r"[`'\"]?\w{1,40}[`'\"]? ?(?:=|:|set to) ?[`'\"]?\w",
    r"(?:[^\n]{0,40}\b)?(?:pass|set|use|add|with) [`'\"]?(?:confirm\w{0,20}|force|approve\w?"
    r"|dry_?run|yes|proceed)[`'\"]?(?: ?= ?| to )[`'\"]?(?:true|false|yes|no)",
    r"(?:[^\n]{0,60}\b)?(?:type|enter|repeat|retype|reply)\b[^\n]{1,80}\bto (?:confirm|go on"
    r"|continue|proceed|connect|authori[sz]e|approve|log ?in|sign in)",
    r"(?:please )?(?:use|call|run|invoke)(?: the)? [`'\"]?[a-z][\w-]{1,60}[`'\"]?(?: tool)?"
    r" (?:first\b|before\b)",
)
"""A sentence that says how to ask again so that it is done."""
INVISIBLE: Final = " \t\r\n\f\v\u00a0\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"
"""What a text may hold that nobody sees."""
_ADDRESS: Final = "@[0-9a-f]{5,16}"
ACCIDENT: Final = _form(
    r"\[object \w{1,40}\](?:,\[object \w{1,40}\]){0,20}",
    r"''|undefined|null|None|NaN|nil|NULL|<nil>|<null>|\(null\)|Optional\.empty|&?\{<nil>\}",
    r"System\.\w{1,40}(?:\.\w{1,40}){0,5}(?:`\d\[[^\]\n]{1,80}\]|\[\])",
    rf"(?:\w{{1,60}}\.){{1,8}}[A-Z]\w{{1,60}}(?:\$\w{{1,40}})?{_ADDRESS}",
    rf"\[L?[\w.]{{1,80}};?{_ADDRESS}",
    r"<[^<>\n]{1,120} at 0x[0-9a-fA-F]{4,16}>",
    r"#<\w[\w:]{0,60}:?0x[0-9a-f]{4,16}[^>\n]{0,100}>",
    r"&\{(?:0x[0-9a-f]{4,16} ?){1,20}\}",
    r"Promise \{[^}\n]{0,40}\}",
    r"\[(?:Function|AsyncFunction|class)[^\]\n]{0,60}\]",
    r"%!\w\([^)\n]{0,60}\)",
)
"""What programs write where a value was to be turned into text, as the whole of it."""
_DENIAL: Final = (
    r"(?![^\n]{0,300}(?:\b(?:not|never|cannot|fail\w{0,20}|unable|without|nothing|none?|false|error|but|however"
    r"|denied|refused|rejected|invalid|missing|timed out)"
    r"|n't)\b)"
)
_SUCCESS: Final = _form(
    "[\u2705\u2714\u2611]\ufe0f? ?\\S",
    r"success(?:[.!:,;]|$)",
    r"successfully \w{1,60}",
    r"(?:ok|done)[.!]?$",
    r"completed successfully",
    r"(?:[\w'\"`.-]{1,60} ){1,6}(?:was |were |has been |have been |completed |finished )?"
    r"successfully(?: \w{1,60})?[.!]?$",
)
SUCCESS: Final = re.compile(f"{_DENIAL}{_SUCCESS.pattern}")
"""How a text begins that reports a success, and does not deny it."""

ABOUT_ERRORS: Final = re.compile(
    r"\b(?:error|exception|failure|log|debug|diagnos\w{0,10}|trace|stack ?trace|backtrace"
    r"|\w{0,5}lint|incident|alert|crash|syslog|journal|stderr|troubleshoot\w{0,10})(?:s|es|ging)?\b"
)
"""What the name or description of a tool says that has errors for its subject."""
ABOUT_STATES: Final = re.compile(
    r"\b(?:status|state|check|health|monitor|(?:py|unit)?test|lint|connectivity|ping|verify|verifies|validate"
    r"|validates|validation|validity|audit|probe|uptime|availability|assert|compliance"
    r"|eligib\w{0,10}|outcome|result of|whether)(?:s|es)?\b"
)
"""The same of one that tells how something else went, or whether something holds."""
CHECKING: Final = word_set(
    "audit check checker checks doctor lint linter test tests validate validates validation"
    " validator verify"
)
"""Words of the name of one that looks for faults."""
PROCESSES: Final = word_set(
    """
    job jobs build builds task tasks run runs deployment deployments pipeline pipelines workflow
    workflows
    """
)
"""Words of the name of one that tells of what goes on, unless it is what starts or changes that."""
DOING: Final = word_set(
    """
    add apply begin build cancel call compile complete convert create delete deploy do edit exec
    execute export finish generate import install invoke launch make plan post process put remove
    render run save send set sort split start stop submit transform trigger update upload write
    """
)
"""Verbs at the beginning of a name by which a tool does something itself."""
READING: Final = word_set(
    """
    analyse analyze browse cat critique describe explain fetch find get grep head history inspect
    list load lookup open print query read recommend review search show suggest summarize tail view
    """
)
"""Verbs at the beginning of a name by which a tool hands out what is there."""
CONTAINERS: Final = word_set(
    "attributes cell cells clipboard content contents dialog html markdown text texts value values"
)
"""Words of the name of one that hands out what is in them."""
DOCUMENTS: Final = word_set(
    "article attachment document documents file files page pages readme resource template website"
)
"""The same of one that hands out what stands in them, which may be told of anything."""
EVALUATING: Final = word_set(
    "calculate compute divide eval evaluate exec execute javascript js python repl run script"
)
"""Words of the name of one whose answer is the value of something."""
ABOUT_HTTP: Final = re.compile(
    r"\b(?:http|url|urls|web|request|requests|fetch|endpoint|api|crawl)\b"
)
"""The same of one that passes on what another server answered."""
ABOUT_LOOKUP: Final = re.compile(
    r"\b(?:search(?:es)?|finds?|look ?up|query|queries|exists?|checks?|whether|match|matches|grep"
    r"|locate|suggest\w{0,10}|is|has|contains|availability|detect|resolve|compare|suchen?|sucht|finden"
    r"|rechercher?|trouver|buscar?|encontrar|procurar|cerca|cercare|zoeken|zoek|szukaj|wyszuk\w{0,5}"
    r"|найти|поиск|искать|знайти|пошук|hledat|hledej|sök|söka|hitta|ara|bul|cari|temukan|tìm"
    r"|tìm kiếm|αναζήτηση|खोज|खोजें|بحث|البحث)\b|搜索|查找|搜尋|検索|探す|검색|찾기"
)
"""The same of one whose answer may be that there is no such thing."""
ABOUT_LISTS: Final = re.compile(
    r"\b(?:lists?|browse|enumerate|listet?|auflisten|lister|listar?|elenca|elencare|lijst|lista)\b"
    r"|列出|一覧|목록|список"
)
"""The same of one that lists things, of which there may be none."""
ABOUT_DIFFERENCES: Final = re.compile(r"\b(?:compares?|diffs?|differences?)\b")
"""The same of one whose answer may be that two things are not the same."""
ABOUT_SPEECH: Final = re.compile(
    r"\b(?:echo(?:es)?|translat\w{0,10}|chat|say|says|quotes?|messages?|e?mails?|comments?|transcri\w{0,10}"
    r"|snippets?|poem|joke|story|phrases?|glossary|dictionary|explains?|meaning|faq|documentation"
    r"|docs|guide|how ?to|repeat|reply|replies|conversation|thread|review|reviews|notes?|memos?"
    r"|diary|journal)\b"
)
"""The same of one whose answer is a text that others wrote, which may say anything."""
ABOUT_PUBLICATIONS: Final = re.compile(
    r"\b(?:lyrics|songs?|articles?|news|headlines?|posts?|quotations?|books?|chapters?|verses?"
    r"|recipes?|paragraphs?|essays?|terms of use|nachrichten|noticias|notícias|nouvelles|notizie"
    r"|новости|новини)\b|新闻|新聞|ニュース|뉴스"
)
"""The same of one whose answer is a text that was published: no tool is meant by what it says."""
ABOUT_FILLERS: Final = re.compile(r"\b(?:placeholders?|lorem|dummy|mock|fake|sample)\b")
"""The same of one that makes what only stands for something."""
ABOUT_PLANS: Final = re.compile(r"\b(?:to ?dos?|tasks?|plans?|features?|roadmap|backlog|issues?)\b")
"""The same of one that tells what is still to be done."""

REFUSALS: Final = frozenset(
    (
        "wrong arguments",
        "not allowed",
        "limits and money",
        "arguments in other words",
        "safety and rules",
        "sign-in in codes",
        "validators",
    )
)
"""Tables of refusals that are about the call, and not about whether a thing is there."""
ANOTHER_SYSTEM: Final = "another system"
"""The table of what is said of a tool that works on other systems only."""
FACTUAL_TABLES: Final = frozenset(("state of things",))
"""Tables of refusals that tell how a thing is: an answer, where one was asked about it."""
FACTUAL: Final = frozenset(
    (
        *("has no", "have no", "had no", "there is no", "there are no", "there was no"),
        *("not allowed", "isn't allowed", "not permitted", "prohibited", "disallowed", "forbidden"),
        *("denied", "rejected", "expired", "declined", "insufficient", "restricted to", "blocked"),
        *("must be", "must not", "is required", "are required", "required"),
    )
)
"""Wordings of other tables that do so, too, unless the sentence is about calls."""
OF_CALLS: Final = re.compile(
    r"\b(?:access|account|api|argument|authenti\w{1,10}|authori[sz]\w{1,8}|call|credential|credits"
    r"|data|field|id|information|input|key|login|operation|parameter|permission|property|quota|query"
    r"|request|scope|session|such|token|user ?name|value|you|your)s?\b"
)
"""Words for what a call has and a thing has not."""
FINDING: Final = re.compile(r"(?:i )?(?:be )?(?:find|found|locate|match|detect|identif|see|spot)")
"""What follows where only nothing was found."""
OWN_DEED: Final = re.compile(rf" ?(?:be\b|{FINDING.pattern}|{_VERB}\w{{0,3}}\b)")
"""What follows on "could not" where that is told of the tool's own deed."""
REMOVING: Final = word_set(
    "clear close delete destroy drop erase purge remove rm stop terminate uninstall unlink wipe"
)
"""Verbs of tools after which something is not there any more."""
LOGGED: Final = re.compile(r"\[?(?:\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d|\d{10}\b)")
"""How a line begins that was written at another time."""
GONE: Final = re.compile(r"\b(?:no longer|not exist any ?more|gone)\b")
CONDITION: Final = _form(
    r"if|when|whenever|unless|raises?|throws?|returns?|in case|should|how|why|what|wenn|falls|si|se"
    r"|если|якщо|als|jeśli|pokud|om|eğer|jika|nếu",
    end=r"\b",
)
"""How a sentence begins that says what would be."""
OBLIGATIONS: Final = frozenset(
    (
        *("must", "required", "requires", "only", "please", "too", "forbidden", "muss", "müssen"),
        *(
            "doit",
            "debe",
            "deve",
            "moet",
            "musi",
            "måste",
            "πρέπει",
            "يجب",
            "必须",
            "必要",
            "harus",
        ),
        "phải",
    )
)
"""Denials that are rules as well: a rule may be what was asked for."""
ADDRESS: Final = re.compile(r"\b(?:you|your|please|again|sorry|retry)\b")
"""Words by which a sentence speaks to the caller."""
ACCOUNTS: Final = frozenset(("not allowed", "limits and money", "sign-in in codes"))
"""Tables of refusals that are about who calls."""
DOUBT: Final = re.compile(
    r"\b(?:could|may|might|possibly|perhaps)\b[^\n]{0,60}\b(?:connect\w{0,8}|network|offline|outage"
    r"|unavailable|rate limit\w{0,3}|blocked|(?:issue|problem|error|failure)s?)\b"
)
"""A sentence that leaves open whether nothing was found, or nothing could be looked for."""
YET: Final = " yet"
"""The end of a sentence about anything that will be."""
ADVICE: Final = _form(
    r"please|use|try|check|run|set|start|open|install|make sure|ensure|call|see|did|are|is the|for"
    r"|to|available|valid|allowed|expected|supported|choose|provide|specify|pass|add|create|select"
    r"|contact|visit|consider|you (?:can|may|need|must|should)|it (?:must|should|may)|the (?:valid"
    r"|allowed|available|supported)|e\.g|example|hint|tip|note|suggestion|background|usage|or|bitte"
    r"|veuillez|por favor|per favore|пожалуйста|请|請",
    end=r"(?:\b|(?=[\u2e80-\u9fff]))",
)
"""How a sentence begins that only says what to do about a failure."""
EXIT: Final = re.compile(
    r"\b(?:exit(?:ed)?|ended|finished|terminated|returned|failed|quit)\b[^\n]{0,30}?"
    r"\b(?:code|status)\b[: =]{1,3}(-?\d{1,5})\b"
)
"""A line that says with which code a program ended."""
