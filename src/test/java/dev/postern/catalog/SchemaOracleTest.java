package dev.postern.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.dialect.Dialects;
import dev.postern.base.Limits;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Compares our verdicts with those of networknt's validator over random schemas and instances, small enough
/// that both often agree to say yes. Left out is where it is known to be wrong (`1` and `1.0` inside
/// containers of `const`, `enum` and `uniqueItems`) or where the standard leaves a choice (`dependencies` in
/// 2020-12).
@Tag("MOD-3")
@Tag("CAL-6")
class SchemaOracleTest {
    private static final int SCHEMAS = 1_500;
    private static final int INSTANCES = 12;

    private static final SchemaRegistry ORACLE = SchemaRegistry.withDefaultDialect(
            Dialects.getDraft202012(),
            builder -> builder.schemaCacheEnabled(false)
                    .schemaLoader(loader -> loader.allow(iri -> false))
                    .schemaRegistryConfig(SchemaRegistryConfig.builder()
                            .formatAssertionsEnabled(false)
                            .build()));

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void agreesWithAnIndependentValidator(boolean draft07) {
        var random = new Random(draft07 ? 7 : 2020);
        int valid = 0;
        int invalid = 0;
        for (int i = 0; i < SCHEMAS; i++) {
            ObjectNode schema = new Schemer(random, draft07).root();
            assertThat(new SchemaLint(Limits.standard(), Json.AS_IS).output(schema))
                    .as(schema.toString())
                    .isNull();
            var ours = new LazySchema(schema, Json.AS_IS);
            var theirs = ORACLE.getSchema(schema.deepCopy());
            for (int j = 0; j < INSTANCES; j++) {
                JsonNode instance = instance(random, 3);
                boolean verdict = ours.validate(instance).isEmpty();
                assertThat(verdict)
                        .as("%s%n%s", schema, instance)
                        .isEqualTo(theirs.validate(instance).isEmpty());
                if (verdict) {
                    valid++;
                } else {
                    invalid++;
                }
            }
        }
        assertThat(valid).isGreaterThan(SCHEMAS);
        assertThat(invalid).isGreaterThan(SCHEMAS);
    }

    private static final List<String> NAMES = List.of("a", "b", "ab", "c");
    private static final List<String> PATTERNS = List.of("^a", "b$", "^[ab]+$", "c");

    private static JsonNode instance(Random random, int depth) {
        return switch (random.nextInt(depth > 0 ? 9 : 5)) {
            case 0 -> Json.parse(String.valueOf(random.nextInt(4)));
            case 1 -> Json.parse(random.nextInt(3) + ".5");
            case 2 -> Json.parse('"' + NAMES.get(random.nextInt(4)) + '"');
            case 3 -> Json.parse(random.nextBoolean() ? "true" : "null");
            case 4 -> Json.parse("\"\"");
            case 5, 6 -> {
                ArrayNode array = Json.MAPPER.createArrayNode();
                for (int i = random.nextInt(4); i > 0; i--) {
                    array.add(instance(random, depth - 1));
                }
                yield array;
            }
            default -> {
                ObjectNode object = Json.MAPPER.createObjectNode();
                for (int i = random.nextInt(4); i > 0; i--) {
                    object.set(NAMES.get(random.nextInt(4)), instance(random, depth - 1));
                }
                yield object;
            }
        };
    }

    /// Writes random schemas whose references only lead on to later definitions.
    private static final class Schemer {
        private static final int DEFINITIONS = 3;
        private final Random random;
        private final boolean draft07;
        private int firstTarget;

        Schemer(Random random, boolean draft07) {
            this.random = random;
            this.draft07 = draft07;
        }

        ObjectNode root() {
            ObjectNode root = Json.MAPPER.createObjectNode();
            if (draft07) {
                root.put("$schema", "http://json-schema.org/draft-07/schema#");
            }
            keywords(root, 3);
            ObjectNode definitions = Json.MAPPER.createObjectNode();
            for (int i = 0; i < DEFINITIONS; i++) {
                firstTarget = i + 1;
                definitions.set("d" + i, schema(2));
            }
            root.set(draft07 ? "definitions" : "$defs", definitions);
            return root;
        }

        private JsonNode schema(int depth) {
            if (random.nextInt(12) == 0) {
                return Json.parse(random.nextBoolean() ? "true" : "false");
            }
            ObjectNode schema = Json.MAPPER.createObjectNode();
            keywords(schema, depth);
            return schema;
        }

        private void keywords(ObjectNode schema, int depth) {
            for (int i = 1 + random.nextInt(3); i > 0; i--) {
                if (depth > 0 && random.nextInt(3) > 0) {
                    applicator(schema, depth - 1);
                } else {
                    assertion(schema);
                }
            }
        }

        private void assertion(ObjectNode schema) {
            switch (random.nextInt(18)) {
                case 0, 1, 2 -> schema.set("type", type());
                case 3 -> schema.set("enum", list(instance(random, 0), instance(random, 0)));
                case 4 -> schema.set("const", instance(random, 0));
                case 5 -> schema.put("maximum", random.nextInt(3));
                case 6 -> schema.put("exclusiveMinimum", random.nextInt(3));
                case 7 -> schema.set("multipleOf", Json.parse(random.nextBoolean() ? "0.5" : "2"));
                case 8 -> schema.put("maxLength", random.nextInt(3));
                case 9 -> schema.put("minLength", random.nextInt(3));
                case 10 -> schema.put("pattern", PATTERNS.get(random.nextInt(4)));
                case 11 -> schema.put("maxItems", random.nextInt(3));
                case 12 -> schema.put("minItems", random.nextInt(3));
                case 13 -> schema.put("minProperties", random.nextInt(3));
                case 14 -> schema.put("maxProperties", random.nextInt(3));
                case 15 -> schema.set("required", list(Json.parse('"' + name() + '"')));
                case 16 ->
                    schema.set(
                            draft07 ? "dependencies" : "dependentRequired",
                            Json.of("{'" + name() + "':['" + name() + "','" + name() + "x']}"));
                default -> schema.put("exclusiveMaximum", random.nextInt(3));
            }
        }

        private JsonNode type() {
            List<String> types = List.of("object", "array", "string", "integer", "number", "boolean", "null");
            String one = types.get(random.nextInt(7));
            return Json.of(
                    random.nextBoolean()
                            ? "'" + one + "'"
                            : "['" + one + "','" + types.get(random.nextInt(2)) + "'"
                                    + (one.equals(types.get(0)) || one.equals(types.get(1)) ? ",'null'" : "") + "]");
        }

        private void applicator(ObjectNode schema, int depth) {
            switch (random.nextInt(22)) {
                case 0 -> schema.set("allOf", list(schema(depth), schema(depth)));
                case 1 -> schema.set("anyOf", list(schema(depth), schema(depth)));
                case 2 -> schema.set("oneOf", list(schema(depth), schema(depth)));
                case 3 -> schema.set("not", schema(depth));
                case 4 -> {
                    schema.set("if", schema(depth));
                    schema.set("then", schema(depth));
                    if (random.nextBoolean()) {
                        schema.set("else", schema(depth));
                    }
                }
                case 5, 6 -> schema.set("properties", map(schema(depth), schema(depth)));
                case 7 -> {
                    ObjectNode patterns = Json.MAPPER.createObjectNode();
                    patterns.set(PATTERNS.get(random.nextInt(4)), schema(depth));
                    schema.set("patternProperties", patterns);
                }
                case 8 -> schema.set("additionalProperties", schema(depth));
                case 9 -> schema.set("propertyNames", schema(depth));
                case 10 -> schema.set(draft07 ? "dependencies" : "dependentSchemas", map(schema(depth)));
                case 11, 12 -> schema.set("items", schema(depth));
                case 13 -> schema.set(draft07 ? "items" : "prefixItems", list(schema(depth), schema(depth)));
                case 14 -> schema.set(draft07 ? "additionalItems" : "items", schema(depth));
                case 15 -> {
                    schema.set("contains", schema(depth));
                    if (!draft07 && random.nextBoolean()) {
                        int least = random.nextInt(3);
                        schema.put("minContains", least).put("maxContains", least + random.nextInt(2));
                    }
                }
                case 16, 17, 18 -> {
                    if (firstTarget < DEFINITIONS) {
                        int target = firstTarget + random.nextInt(DEFINITIONS - firstTarget);
                        schema.put("$ref", (draft07 ? "#/definitions/d" : "#/$defs/d") + target);
                    }
                }
                case 19, 20 -> {
                    if (!draft07) {
                        schema.set("unevaluatedProperties", random.nextBoolean() ? Json.of("false") : schema(depth));
                    }
                }
                default -> {
                    if (!draft07) {
                        schema.set("unevaluatedItems", random.nextBoolean() ? Json.of("false") : schema(depth));
                    }
                }
            }
        }

        private String name() {
            return NAMES.get(random.nextInt(4));
        }

        private ObjectNode map(JsonNode... values) {
            ObjectNode map = Json.MAPPER.createObjectNode();
            for (JsonNode value : values) {
                map.set(name(), value);
            }
            return map;
        }

        private static ArrayNode list(JsonNode... values) {
            ArrayNode list = Json.MAPPER.createArrayNode();
            for (JsonNode value : values) {
                list.add(value);
            }
            return list;
        }
    }
}
