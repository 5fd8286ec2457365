import HTTPTypes

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
