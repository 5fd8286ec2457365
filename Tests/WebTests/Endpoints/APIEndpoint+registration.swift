import HTTPTypes

extension APIEndpoint {
    static let registration: [APIEndpoint] = [
        .init(
            .post, "/api/v1/admin/accounts/{applicant}/approve", .person(scope: "admin:write:accounts"),
            .entity(.adminAccount), viewer: "chief"),
        .init(
            .post, "/api/v1/admin/accounts/{rejected}/reject", .person(scope: "admin:write:accounts"),
            .entity(.adminAccount), viewer: "chief"),
    ]
}
