package dev.postern.config;

import java.util.List;

/// A JSON value, and the offset in the text at which it starts.
sealed interface Tree {
    int at();

    /// What it is, for messages; never its value.
    String kind();

    record Obj(int at, List<Member> members) implements Tree {
        @Override
        public String kind() {
            return "an object";
        }
    }

    /// One key and its value; `at` is the place of the key.
    record Member(int at, String name, Tree value) {}

    record Arr(int at, List<Tree> items) implements Tree {
        @Override
        public String kind() {
            return "an array";
        }
    }

    record Text(int at, String value) implements Tree {
        @Override
        public String kind() {
            return "a string";
        }
    }

    /// A number as it was written: no conversion can overflow or round before a reader has looked at it.
    record Num(int at, String written) implements Tree {
        @Override
        public String kind() {
            return "a number";
        }
    }

    record Bool(int at, boolean value) implements Tree {
        @Override
        public String kind() {
            return value ? "true" : "false";
        }
    }

    record Nil(int at) implements Tree {
        @Override
        public String kind() {
            return "null";
        }
    }

    /// A value that was written wrongly and has its problem already: nobody judges it again.
    record Broken(int at) implements Tree {
        @Override
        public String kind() {
            return "not JSON";
        }
    }
}
