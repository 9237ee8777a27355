"""PyYAML's safe loader as decision 15 wants it: no timestamps, no sexagesimal numbers, duplicate keys are errors."""
import re

import yaml
from yaml.constructor import ConstructorError

INT = re.compile(r"^(?:[-+]?0b[0-1_]+|[-+]?0[0-7_]+|[-+]?(?:0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+)$")
FLOAT = re.compile(
    r"^(?:[-+]?(?:[0-9][0-9_]*)\.[0-9_]*(?:[eE][-+][0-9]+)?"
    r"|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$"
)


class SaltLoader(yaml.SafeLoader):
    def construct_mapping(self, node, deep=False):
        if isinstance(node, yaml.MappingNode):
            own = list(node.value)
            self.flatten_mapping(node)
            self.refuse_twins(own)
        return super().construct_mapping(node, deep)

    def refuse_twins(self, pairs):
        seen = set()
        for key_node, _ in pairs:
            if key_node.tag == "tag:yaml.org,2002:merge":
                continue
            key = self.construct_object(key_node, deep=True)
            try:
                twin = key in seen
            except TypeError:
                continue
            if twin:
                raise ConstructorError(None, None, f"duplicate key {key!r}", key_node.start_mark)
            seen.add(key)


SaltLoader.yaml_implicit_resolvers = {
    first: [
        (tag, {"tag:yaml.org,2002:int": INT, "tag:yaml.org,2002:float": FLOAT}.get(tag, pattern))
        for tag, pattern in resolvers
        if tag != "tag:yaml.org,2002:timestamp"
    ]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
