"""YAML as Salt's renderer loads it, with one thing taken out that decision 15 takes out: sexagesimal numbers (12:30)."""
import re
from collections import OrderedDict

import yaml
from salt.utils.yamlloader import SaltYamlSafeLoader

WITHOUT_SEXAGESIMAL = {
    "tag:yaml.org,2002:int": re.compile(
        r"^(?:[-+]?0b[0-1_]+|[-+]?0[0-7_]+|[-+]?(?:0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+)$"
    ),
    "tag:yaml.org,2002:float": re.compile(
        r"^(?:[-+]?(?:[0-9][0-9_]*)\.[0-9_]*(?:[eE][-+][0-9]+)?"
        r"|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$"
    ),
}


class Loader(SaltYamlSafeLoader):
    yaml_implicit_resolvers = {
        first: [(tag, WITHOUT_SEXAGESIMAL.get(tag, pattern)) for tag, pattern in resolvers]
        for first, resolvers in SaltYamlSafeLoader.yaml_implicit_resolvers.items()
    }


def load(text):
    return yaml.load(text, Loader=lambda stream: Loader(stream, dictclass=OrderedDict))


def load_as_salt(text):
    """With nothing taken out."""
    return yaml.load(text, Loader=lambda stream: SaltYamlSafeLoader(stream, dictclass=OrderedDict))
