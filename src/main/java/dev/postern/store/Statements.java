package dev.postern.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The statements of one connection, each compiled once, until [#renew]. Confined to the thread that owns the
/// connection.
final class Statements implements AutoCloseable {
    private final Connection connection;
    private final Map<String, PreparedStatement> compiled = new HashMap<>();

    Statements(Connection connection) {
        this.connection = connection;
    }

    /// Runs `sql`, whose parameters are `values` in order: texts, whole numbers and nulls.
    ///
    /// @return how many rows it changed
    int run(String sql, @Nullable Object... values) throws SQLException {
        return prepared(sql, values).executeUpdate();
    }

    /// Runs what takes no parameters to its very end, also what gives a row for each piece of work it does.
    void script(String sql) throws SQLException {
        Connections.run(connection, sql);
    }

    /// The first number that a query gives, or `absent`.
    long number(long absent, String sql, @Nullable Object... values) throws SQLException {
        try (var rows = prepared(sql, values).executeQuery()) {
            return rows.next() ? rows.getLong(1) : absent;
        }
    }

    PreparedStatement prepared(String sql, @Nullable Object... values) throws SQLException {
        var statement = compiled.get(sql);
        if (statement == null) {
            statement = connection.prepareStatement(sql);
            compiled.put(sql, statement);
        }
        for (int at = 0; at < values.length; at++) {
            statement.setObject(at + 1, values[at]);
        }
        return statement;
    }

    /// Compiles all of them anew from here on. Due after every failure: a statement that failed once, as on a full
    /// disk, is closed by the driver, and would fail for ever.
    void renew() {
        for (var statement : compiled.values()) {
            try {
                statement.close();
            } catch (SQLException e) {
                // It goes with the connection.
            }
        }
        compiled.clear();
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
