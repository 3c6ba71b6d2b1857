"""Values that tell a sound folding of a rule from an unsound one: nearly right, and oddly right."""

from __future__ import annotations

from typing import Any, Final

from hypothesis import strategies as st

from mcp_assay.spec.meta_keys import RESERVED_LABELS
from mcp_assay.spec.revisions import REVISIONS
from mcp_assay.spec.shapes import SHAPES

Values = st.SearchStrategy[Any]

ODD_CHARACTERS: Final = " \t\n\r\x00\x0b\x7f\x85\xa0\xad\u2028\ufeffé\u0130\u017f\u212a\U0001f600"
FIELD_NAMES: Final = sorted({field.name for shape in SHAPES.values() for field in shape.fields})
JUST_TEXT: Final = st.sampled_from(["notes", "", " ", "\n", "Zürich", "a" * 300]) | st.text(
    max_size=8
)


def mostly(*clean: Any, odd: Values) -> Values:
    """One of the clean values or, now and then, an odd one."""
    return st.one_of(*(st.sampled_from(clean) for _ in range(7)), odd)


def joined(*parts: str, most: int = 6) -> Values:
    """The parts in any order and number: what a grammar might trip over."""
    return st.lists(st.sampled_from(parts), max_size=most).map("".join)


def optional(members: dict[str, Values]) -> Values:
    """An object with any of the members."""
    return st.fixed_dictionaries({}, optional=members)


ANY_TYPE: Final[Values] = st.sampled_from([None, True, 0, 1.5, "7", [], {}, [{}], {"a": 1}])

URIS: Final = mostly(
    "https://example.com/notes/1",
    "file:///srv/data",
    "urn:isbn:0451450523",
    "notes://7?x=%20#top",
    odd=joined(
        *("http:", "file:", "a", "1", "+", "//", "/", "?", "#", "@", "[::1]", "[v1.x]", "[", "]"),
        *(":80", ":", "%41", "%", "%4", "..", "~", "'", '"', "<", "{x}", "|", "\\", "^", "`"),
        *ODD_CHARACTERS,
    ),
)
WEB_ADDRESSES: Final = mostly(
    "https://example.com/sign-in?flow=7",
    odd=st.one_of(URIS, URIS.map("https://{}".format), URIS.map("HTTPS://{}".format)),
)
FILE_URIS: Final = mostly(
    "file:///srv/data", "file://host/x", odd=st.one_of(URIS, URIS.map("file://{}".format))
)
URI_TEMPLATES: Final = mostly(
    "notes://{id}",
    "https://example.com/{+path}{?q,lang*}",
    "https://example.com/",
    odd=joined(
        *("{", "}", "{a}", "{+a}", "{a:3}", "{a:0}", "{a:10000}", "{a.b}", "{a..b}", "{%41}"),
        *("{a,}", "{$a}", "{=a}", "{é}", "{ }", "%41", "%", "'", '"', "<", "|", "\\", "^", "x"),
        *ODD_CHARACTERS,
    ),
)
BASE64: Final = mostly(
    "aGVsbG8=",
    "",
    "AAAA",
    "iVBORw0KGgo=",
    odd=joined(
        "AAAA", "AA==", "AA==AAAA", "AB==", "AAA=", "AAB=", "A", "=", "+/", "-_", *ODD_CHARACTERS
    ),
)
MEDIA_TYPES: Final = mostly(
    "text/plain",
    "text/plain; charset=utf-8",
    "image/png",
    "AUDIO/wav",
    odd=joined(
        "text", "/", "image", "audio", "IMAGE", ";", "=", '"', ",", "+", "*", *ODD_CHARACTERS
    ),
)
TIMESTAMPS: Final = mostly(
    "2025-11-25T10:30:00Z",
    "2025-11-25",
    "20251125T103000+0200",
    odd=joined(
        *("2025", "-", "11", "25", "T", "t", "10", ":", "30", "60", "61", "24", ".5", ",5", "Z"),
        *("+02:00", "-02", "\u0660", *ODD_CHARACTERS),
        most=9,
    ),
)
TRACE: Final = f"00-{'1f2e3d4c' * 4}-{'0123abcd' * 2}-01"
ODD_TRACES: Final[dict[str, Values]] = {
    "traceparent": st.one_of(
        st.sampled_from([TRACE.upper(), TRACE[2:], f"ff{TRACE[2:]}", f"01{TRACE[2:]}-x"]),
        st.sampled_from([TRACE.replace("0123abcd", "0" * 8), TRACE.replace("1f2e3d4c", "0" * 8)]),
        st.sampled_from([f"{TRACE}-x", f"{TRACE}\n"]),
        joined("00", "-", "a" * 32, "0" * 32, "b" * 16, "0" * 16, "01", *ODD_CHARACTERS),
    ),
    "tracestate": joined(
        *("a", "=", ",", "@", "A", " ", "a=1", "x" * 250, "y" * 256, *ODD_CHARACTERS), most=9
    ),
    "baggage": joined(
        *("a", "=", ",", ";", "a=1", "(", '"', "\\", "%20", "p=2", *ODD_CHARACTERS), most=9
    ),
}
TRACE_CONTEXT: Final[dict[str, Values]] = {
    "traceparent": mostly(TRACE, odd=ODD_TRACES["traceparent"]),
    "tracestate": mostly("notes=7f", "a=1,b@c=2", odd=ODD_TRACES["tracestate"]),
    "baggage": mostly("user=7", "a=1,b=%20", odd=ODD_TRACES["baggage"]),
}
META_KEYS: Final = mostly(
    "com.example/trace",
    "trace",
    "org.example.notes/x.y_z-1",
    odd=st.one_of(
        joined(
            *("com.", "example", "/", ".", "-", "_", "1", "a", "A", "", "io.", "x.", "COM."),
            *RESERVED_LABELS,
            *(f".{label}/" for label in RESERVED_LABELS),
            *ODD_CHARACTERS,
        ),
        st.sampled_from([*FIELD_NAMES, "progress_token", "com.example.mcp/x", "dev.mcp.x/y"]),
    ),
)
IDS: Final = mostly(
    7,
    "call-7",
    0,
    -1,
    odd=st.sampled_from(
        [True, False, None, 1.0, 1.5, 2**53 - 1, 2**53, -(2**53), 2**63, 1e300, "", "1", [1], {}]
    ),
)
NUMBERS: Final = mostly(
    0, 1, 0.5, 20, odd=st.sampled_from([-1, -0.5, 1.01, 2.0, 1e300, -0.0, 2**70, True, "5", None])
)
VERSIONS: Final = mostly(
    *REVISIONS, odd=st.sampled_from(["2025-11-25 ", "2025-11-24", "", "1.0", 20251125, None])
)
NAMES: Final = mostly("notes", "forecast-daily", odd=JUST_TEXT)
SECRET_TEXTS: Final = st.sampled_from(
    [
        "ghp_" + "a1B2" * 9,
        "AKIA" + "ABCD1234" * 2,
        "Authorization: Bearer " + "x1Y2" * 8,
        "-----BEGIN RSA PRIVATE KEY-----",
        "eyJhbGciOi.eyJzdWIi.c2lnbmF0dXJl",
        "password=hunter2",
        "api_key: 'abcd1234EFGH'",
        "xoxb-1234567890-abcdef",
        "sk-" + "a1" * 12,
        "Invalid password: too short",
        "the token expired",
        "PASSWORD:\thunter2",
        "pa\u017f\u017fword=hunter2",
    ]
)
SECRET_NAMES: Final = st.sampled_from(
    [
        *("password", "db_password", "apiKey", "API_KEY", "x-api-key", "secret", "passwd", "token"),
        *("api9key", "pass word", "private  key", "secretKey", "passwords", "accessToken"),
        *("pin", "cvv", "creditCard", "Social-Security", "PIN code", "pinned", "opinion"),
    ]
)
FREE_JSON: Final = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-5, 2**60)
    | st.floats(allow_nan=False, width=16)
    | JUST_TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(JUST_TEXT, inner, max_size=3),
    max_leaves=6,
)
LOG_DATA: Final = st.recursive(
    st.one_of(st.sampled_from(["Index rebuilt", 7, None, 1.5]), SECRET_TEXTS, JUST_TEXT),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(SECRET_NAMES | st.sampled_from(["user", "event"]), inner, max_size=3),
    ),
    max_leaves=6,
)
ODD_ERROR_TEXTS: Final = joined(
    *("Traceback (most recent call", " ", "\n", "\r", "panicked at ", "goroutine 7 [running]"),
    *("at Object.<anonymous>", "Stack trace:", "failed", "(node:internal/", *ODD_CHARACTERS),
    most=3,
)
ERROR_TEXTS: Final = mostly("The city is not known.", odd=ODD_ERROR_TEXTS)
ERROR_CODES: Final = st.one_of(
    st.sampled_from([-32603, -32602, -32700, 1, 1001, 0]),
    st.integers(-32770, -31990),
    st.sampled_from([-32000.0, -32042, -32021, -32022, -32002, 1.5, True, "x", 2**70, None]),
)
META: Final = st.one_of(
    st.just({}), st.dictionaries(META_KEYS, ANY_TYPE | JUST_TEXT, max_size=2), ANY_TYPE
)
"""A `_meta` of a part of a message; those of whole messages have more in them."""
