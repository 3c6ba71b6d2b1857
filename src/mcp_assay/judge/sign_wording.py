"""The forms by which a response is known for what its isError does not say: data, and no logic.

Every form is anchored: it is about how a short text begins, or about the whole of it. What a
document, a log or a message says somewhere in the middle is its own affair.
"""

from __future__ import annotations

import re
from typing import Final

from mcp_assay.text.names import word_set

FLAGS: Final = word_set("success ok succeeded successful issuccess is_success")
"""Members, in small letters, that are true or false by whether a call succeeded."""
ERRORS: Final = word_set(
    "error errors err error_message errormessage exception error_description errormessages"
)
"""Members that hold what went wrong, and are empty or absent where nothing did."""
MESSAGES: Final = word_set("message msg reason detail details description title text")
"""Members that hold words about a failure where another member says that it is one."""
ASIDES: Final = word_set(
    """
    code status status_code statuscode error_code errorcode type timestamp request_id requestid
    trace_id traceid correlation_id hint suggestion suggestions retryable retry_after
    documentation_url instance tool
    """
)
"""Members that stand beside such words and are no result."""
FINDINGS: Final = word_set("valid is_valid isvalid passed compliant conforms matches healthy")
"""Members that are false where something was looked at and found wanting: that is an answer."""
STATES: Final = word_set("status state outcome result type")
FAILED_STATES: Final = word_set("error failed failure fail")
PASSED_STATES: Final = word_set("success ok succeeded successful completed done")
WRAPPERS: Final = word_set("result data response output payload body")
"""The one member of an object that only holds another."""
STEP_MEMBERS: Final = word_set(
    """
    confirmation_required confirmationrequired requires_confirmation requiresconfirmation
    needs_confirmation needsconfirmation confirm_required awaiting_confirmation
    requires_auth requiresauth auth_required authrequired requires_authentication
    authentication_required requires_login login_required needs_auth
    """
)
"""Members that are true where something must be done before."""
STEP_STATES: Final = word_set(
    """
    confirmation_required requires_confirmation needs_confirmation pending_confirmation
    awaiting_confirmation auth_required authentication_required authorization_required
    login_required requires_auth needs_auth
    """
)

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
_CODE: Final = r"[*_`\]]{0,3} ?(?:\(?[a-z]{0,4}[ -]?-?\d{3,5}\)?)?"
_COLON: Final = " ?(?:[:\uff1a!]|- |— )"
_UNABLE: Final = "(?:failed to|could not|couldn't|cannot|can't|can not|unable to|failure to)"
_WORK: Final = "(?:request|operation|command|call|query|upload|download|login|build)"
OPENING: Final = _form(
    rf"(?:an? )?{_KIND}{_ERROR}{_CODE}{_COLON}",
    rf"(?:an? )?{_KIND}{_ERROR} (?:has )?occurred\b",
    rf"(?:an? )?{_KIND}{_ERROR} (?:while|when|during|in|on|for) {_DOING}",
    rf"(?:an? )?{_KIND}{_ERROR} {_DOING}[^:.\n]{{0,80}}[:.]",
    r"traceback \(most recent call last\)",
    rf"{_UNABLE} {_VERB}\w{{0,3}}\b[^\n]{{0,200}}(?::|[.]?$)",
    rf"(?:{_VERB}\w{{0,3}}|{_WORK}) failed(?:[:!]|[.]?$| with\b| because\b| due to\b)",
)
"""How a text begins that reports an error; it is matched in small letters."""

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
)
"""How a text begins that a machine made of an error."""

_THING: Final = r"[\w'\"`«»./\\:@#*-]{1,120}"
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
    rf"{_REFUSAL}(?:[.!]?$|[:;,] [^\n]{{1,200}}$| (?:for|to|by|on) )",
    rf"invalid [a-z_ -]{{2,30}}: {_THING}",
    rf"{_THING} (?:is required|is invalid|must be) ?[^\n]{{0,80}}$",
)
"""A short text that is a refusal and nothing else; matched in small letters."""

_SUBJECT: Final = r"[\w .'\"`()-]{1,80}?"
_MADE: Final = "(?:implemented|written|supported yet|available yet|ready yet)"
_MISSING_CODE: Final = (
    rf"(?:(?:not|n't) (?:yet |been ){{0,3}}{_MADE}|(?:yet |still )?to be implemented"
    r"|(?:only |just )?an? (?:stub|placeholder)|unimplemented"
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
    rf"{_SUBJECT}(?:isn't|hasn't been|aren't) (?:yet )?implemented(?: yet)?(?:[.!,;:(]|$)",
    r"(?:implementation|functionality|support|feature)[\w ]{0,30} "
    r"(?:coming soon|to follow|will be (?:added|implemented))",
    rf"{_SUBJECT}will be implemented\b",
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
)
"""A short text that asks for something before it does what was asked for."""
_ADDRESS: Final = "@[0-9a-f]{5,16}"
ACCIDENT: Final = _form(
    r"\[object \w{1,40}\](?:,\[object \w{1,40}\]){0,20}",
    r"undefined|null|None|NaN|nil|NULL|<nil>|<null>|\(null\)|Optional\.empty|&?\{<nil>\}",
    r"System\.\w{1,40}(?:\.\w{1,40}){0,5}(?:`\d\[[^\]\n]{1,80}\]|\[\])",
    rf"(?:\w{{1,60}}\.){{1,8}}[A-Z]\w{{1,60}}(?:\$\w{{1,40}})?{_ADDRESS}",
    rf"\[L?[\w.]{{1,80}};?{_ADDRESS}",
    r"<[^<>\n]{1,120} at 0x[0-9a-fA-F]{4,16}>",
    r"#<\w[\w:]{0,60}:?0x[0-9a-f]{4,16}[^>\n]{0,100}>",
    r"Promise \{[^}\n]{0,40}\}",
    r"\[(?:Function|AsyncFunction|class)[^\]\n]{0,60}\]",
    r"%!\w\([^)\n]{0,60}\)",
)
"""What programs write where a value was to be turned into text, as the whole of it."""
SUCCESS: Final = _form(
    r"success\b",
    r"successfully \w{1,60}",
    r"(?:ok|done)[.!]?$",
    r"completed successfully",
    r"(?:[\w'\"`.-]{1,60} ){1,6}(?:was |were |has been |have been |completed |finished )?"
    r"successfully(?: \w{1,60})?[.!]?$",
)
"""How a text begins that reports a success."""

ABOUT_ERRORS: Final = re.compile(
    r"\b(?:error|exception|failure|log|debug|diagnos\w{0,10}|trace|stack ?trace|backtrace|lint"
    r"|incident|alert|crash|syslog|journal|stderr|troubleshoot\w{0,10})(?:s|es|ging)?\b"
)
"""What the name or description of a tool says that has errors for its subject."""
ABOUT_STATES: Final = re.compile(
    r"\b(?:status|state|job|build|task|run|check|health|monitor|deployment|pipeline|test|workflow"
    r"|connectivity|ping|verify|verifies|validate|validates|validation|validity|audit|probe|uptime"
    r"|availability|assert|compliance|eligib\w{0,10}|outcome|result of)(?:s|es)?\b"
)
"""The same of one that tells how something else went, or whether something holds."""
ABOUT_HTTP: Final = re.compile(
    r"\b(?:http|url|urls|web|request|requests|fetch|endpoint|api|crawl)\b"
)
"""The same of one that passes on what another server answered."""
ABOUT_LOOKUP: Final = re.compile(
    r"\b(?:search(?:es)?|finds?|look ?up|query|queries|exists?|checks?|whether|match|matches|grep"
    r"|locate|suggest\w{0,10}|is|has|contains|availability|detect|resolve|compare)\b"
)
"""The same of one whose answer may be that there is no such thing."""
ABOUT_SPEECH: Final = re.compile(
    r"\b(?:echo(?:es)?|translat\w{0,10}|chat|say|says|quotes?|messages?|e?mails?|comments?|transcri\w{0,10}"
    r"|snippets?|poem|joke|story|phrases?|glossary|dictionary|explains?|meaning|faq|documentation"
    r"|docs|guide|how ?to|repeat|reply|replies|conversation|thread|review|reviews)\b"
)
"""The same of one whose answer is a text that others wrote."""
