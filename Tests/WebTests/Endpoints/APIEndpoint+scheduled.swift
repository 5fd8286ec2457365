import HTTPTypes

extension APIEndpoint {
    static let scheduledStatuses: [APIEndpoint] = [
        .init(
            .get, "/api/v1/scheduled_statuses", .person(scope: "read:statuses"), .list(.entity(.scheduledStatus))),
        .init(
            .get, "/api/v1/scheduled_statuses/{scheduled}", .person(scope: "read:statuses"), .entity(.scheduledStatus)),
        .init(
            .put, "/api/v1/scheduled_statuses/{scheduled}", .person(scope: "write:statuses"),
            .entity(.scheduledStatus), form: "scheduled_at=2098-12-31T12%3A00%3A00Z"),
        .init(.delete, "/api/v1/scheduled_statuses/{canceled}", .person(scope: "write:statuses"), .emptyObject),
    ]
}
