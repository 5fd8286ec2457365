import HTTPTypes

extension APIEndpoint {
    /// The administrator root moderates eve; fred is suspended, and is removed in the end.
    static let moderation: [APIEndpoint] = [
        .init(
            .post, "/api/v1/reports", .person(scope: "write:reports"), .entity(.report),
            form: "account_id={bob}&status_ids%5B%5D={reply}&comment=spam&category=spam&forward=true"),
        admin(.get, "accounts", "admin:read:accounts", .list(.entity(.adminAccount))),
        .init(
            .get, "/api/v2/admin/accounts?origin=local&status=active&username=e",
            .admin(scope: "admin:read:accounts"), .list(.entity(.adminAccount)), viewer: "root"),
        admin(.get, "accounts/{eve}", "admin:read:accounts", .entity(.adminAccount)),
        admin(
            .post, "accounts/{eve}/action", "admin:write:accounts", .emptyObject,
            form: "type=silence&send_email_notification=true"),
        admin(.post, "accounts/{eve}/unsilence", "admin:write:accounts", .entity(.adminAccount)),
        admin(.post, "accounts/{eve}/unsuspend", "admin:write:accounts", .entity(.adminAccount)),
        admin(.delete, "accounts/{fred}", "admin:write:accounts", .entity(.adminAccount)),
        admin(.get, "reports", "admin:read:reports", .list(.entity(.adminReport))),
        admin(.get, "reports/{report}", "admin:read:reports", .entity(.adminReport)),
        admin(.post, "reports/{report}/assign_to_self", "admin:write:reports", .entity(.adminReport)),
        admin(.post, "reports/{report}/unassign", "admin:write:reports", .entity(.adminReport)),
        admin(.post, "reports/{report}/resolve", "admin:write:reports", .entity(.adminReport)),
        admin(.post, "reports/{report}/reopen", "admin:write:reports", .entity(.adminReport)),
    ]

    private static func admin(
        _ method: HTTPRequest.Method, _ path: String, _ scope: String, _ shape: Shape, form: String? = nil
    ) -> APIEndpoint {
        .init(method, "/api/v1/admin/" + path, .admin(scope: scope), shape, form: form, viewer: "root")
    }
}

extension APIEndpoint {
    static let registration: [APIEndpoint] = [
        .init(
            .post, "/api/v1/admin/accounts/{applicant}/approve", .admin(scope: "admin:write:accounts"),
            .entity(.adminAccount), viewer: "root"),
        .init(
            .post, "/api/v1/admin/accounts/{rejected}/reject", .admin(scope: "admin:write:accounts"),
            .entity(.adminAccount), viewer: "root"),
    ]
}
