package import FeedCore

extension ModerationStore {
    package func accounts(_ selection: AccountSelection, page: Pagination) async throws -> [Account] {
        guard !selection.isEmpty else { return [] }
        let query: SQL = """
            SELECT \(sql: AccountRow.columns) FROM account a
            WHERE \(page.bounds(on: "a.id")) AND \(sql: AccountRow.published) AND a.removed_at IS NULL
            AND \(Self.condition(selection)) ORDER BY a.id \(page.order) LIMIT \(page.limit)
            """
        return try await database.list(query, page) { try AccountRow.decode($0) }
    }

    private static func condition(_ selection: AccountSelection) -> SQL {
        var parts = [state(selection.state)]
        if let name = selection.username.map(Username.key) {
            parts.append("a.username_key >= \(name) AND a.username_key < \(SearchStore.end(of: name))")
        }
        if let name = selection.displayName.map(AccountSearch.key) {
            parts.append(
                """
                EXISTS (SELECT 1 FROM account_name n WHERE n.account_id = a.id
                    AND n.ending >= \(name) AND n.ending < \(SearchStore.end(of: name)))
                """)
        }
        if let email = selection.email.map(AccountStore.emailKey) {
            let end = SearchStore.end(of: email)
            parts.append("a.email <> '' AND lower(a.email) >= \(email) AND lower(a.email) < \(end)")
        }
        if let role = selection.role { parts.append("a.role = \(role.rawValue)") }
        return parts.joined(separator: " AND ")
    }

    private static func state(_ state: AccountSelection.State?) -> SQL {
        switch state {
        case nil: "1 = 1"
        case .active: "a.suspended_at IS NULL"
        case .silenced: "a.silenced_at IS NOT NULL"
        // A pending account is stored as suspended.
        case .suspended: "a.suspended_at IS NOT NULL AND NOT \(isPending)"
        case .pending: isPending
        case .disabled: "1 = 0"
        }
    }

    private static let isPending: SQL = "EXISTS (SELECT 1 FROM sign_up s WHERE s.account_id = a.id)"
}
