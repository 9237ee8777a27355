"""The hand-written small cases, as one list. A case's group says what it is a case of: `filter:join`, `statement:for`."""
import cases_errors
import cases_expressions
import cases_filters
import cases_methods
import cases_salt
import cases_statements
import cases_tests
from oracle import MAIN

ESCAPING = {"autoescape": True}


def all_files():
    """File name -> cases, each with its group."""
    return {
        "statements": [*_of("statement", cases_statements.STATEMENTS), *_whitespace(), *_syntax(), *_undefined()],
        "operators": _of("operator", cases_expressions.OPERATORS),
        "filters": [*_of("filter", cases_filters.FILTERS), *_list("autoescape", cases_filters.AUTOESCAPED, ESCAPING)],
        "tests": _of("test", cases_tests.TESTS),
        "methods": [
            *_of("str", cases_methods.STR),
            *_of("list", cases_methods.LIST),
            *_of("dict", cases_methods.DICT),
            *_of("tuple", cases_methods.TUPLE),
            *_of("int", cases_methods.INT),
            *_of("float", cases_methods.FLOAT),
            *_of("bytes", cases_methods.BYTES),
            *_of("object", cases_methods.OBJECTS),
            *_list("attribute", cases_methods.ATTRIBUTES, {}),
        ],
        "errors": _of("error", cases_errors.ERRORS),
        "salt": [
            *_of("filter", cases_salt.SALT_FILTERS),
            *_of("test", cases_salt.SALT_TESTS),
            *_of("object", cases_salt.SALT_GLOBALS),
            *_list("printed", cases_salt.PRINTED, {}),
            *_list("printed", cases_salt.PRINTED_ESCAPED, ESCAPING),
            *[
                _case(f"printed:{kind}", entry, {"undefined": kind})
                for entry in cases_salt.PRINTED_LENIENT
                for kind in ("lenient", "chainable", "debug")
            ],
        ],
    }


def _of(kind, table):
    return [_case(f"{kind}:{name}", entry) for name, entries in table.items() for entry in entries]


def _list(group, entries, options):
    return [_case(group, entry, options) for entry in entries]


def _case(group, entry, options=None):
    template, files, own = (entry, {}, {}) if isinstance(entry, str) else (*entry, {}, {})[:3]
    if MAIN in files:
        raise ValueError(f"{group}: the case's own template is {MAIN}")
    case = {"group": group, "t": template if _is_template(group, template) else "{{ " + template + " }}"}
    if files:
        case["f"] = files
    if options or own:
        case["o"] = {**(options or {}), **own}
    return case


def _is_template(group, text):
    return group.split(":")[0] in ("statement", "error") or text.startswith(("{%", "{{")) or "{% " in text


def _whitespace():
    return [
        {"group": "whitespace", "t": template, **({"o": options} if options else {})}
        for template in cases_statements.WHITESPACE
        for options in cases_statements.WHITESPACE_OPTIONS
    ]


def _syntax():
    return [{"group": "syntax", "t": template, "o": options} for template, _, options in cases_statements.SYNTAX]


def _undefined():
    return [
        {"group": f"undefined:{kind}", "t": template, "o": {"undefined": kind}}
        for template in cases_statements.UNDEFINED
        for kind in ("strict", "lenient", "chainable", "debug")
    ]
