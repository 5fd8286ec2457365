extension Documented {
    /// https://docs.joinmastodon.org/entities/Report/
    static let report = reportFields.merging([
        "status_ids": .must(.orNull(.list(.id))), "rule_ids": .must(.orNull(.list(.text))),
        "target_account": .must(.entity(.account)),
    ]) { _, new in new }

    /// https://docs.joinmastodon.org/entities/Admin_Report/
    static let adminReport = reportFields.merging([
        "updated_at": .must(.time), "account": .must(.entity(.adminAccount)),
        "target_account": .must(.entity(.adminAccount)), "assigned_account": .must(.orNull(.entity(.adminAccount))),
        "action_taken_by_account": .must(.orNull(.entity(.adminAccount))),
        "statuses": .must(.list(.entity(.status))), "rules": .must(.list(.entity(.rule))),
    ]) { _, new in new }

    private static let reportFields: [String: Shape.Field] = [
        "id": .must(.id), "action_taken": .must(.flag), "action_taken_at": .must(.orNull(.time)),
        "category": .must(.word(["spam", "legal", "violation", "other"])), "comment": .must(.text),
        "forwarded": .must(.flag), "created_at": .must(.time),
    ]

    /// https://docs.joinmastodon.org/entities/Admin_Account/
    static let adminAccount: [String: Shape.Field] = [
        "id": .must(.id), "username": .must(.text), "domain": .must(.null), "created_at": .must(.time),
        "email": .must(.text), "ip": .must(.null), "ips": .must(.emptyList), "locale": .must(.orNull(.text)),
        "invite_request": .must(.orNull(.text)), "role": .must(.entity(.role)), "confirmed": .must(.flag),
        "approved": .must(.flag), "disabled": .must(.flag), "silenced": .must(.flag), "suspended": .must(.flag),
        "sensitized": .must(.flag), "account": .must(.entity(.account)), "created_by_application_id": .may(.id),
        "invited_by_account_id": .may(.id),
    ]
}
