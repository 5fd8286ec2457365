extension Documented {
    /// https://docs.joinmastodon.org/entities/Admin_Account/
    static let adminAccount: [String: Shape.Field] = [
        "id": .must(.id), "username": .must(.text), "domain": .must(.null), "created_at": .must(.time),
        "email": .must(.text), "ip": .must(.null), "ips": .must(.emptyList), "locale": .must(.text),
        "invite_request": .must(.orNull(.text)), "role": .must(.entity(.role)), "confirmed": .must(.flag),
        "approved": .must(.flag), "disabled": .must(.flag), "silenced": .must(.flag), "suspended": .must(.flag),
        "sensitized": .must(.flag), "account": .must(.entity(.account)), "created_by_application_id": .may(.text),
        "invited_by_account_id": .may(.text),
    ]
}
