import FeedAPI
import FeedCore

/// Reports of accounts to the moderators.
struct ReportController: Sendable {
    let services: Services

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.post("/api/v1/reports", .account(.writeReports), use: create)
    }

    @Sendable func create(_ request: Request, _ context: FeedContext) async throws -> Response {
        let viewer = try context.require()
        let input = try await request.input(upTo: services.limits.longFormBytes, context: context)
        let draft = try ReportDraft(input)
        try ReportRule.check(draft, rules: Set(services.rules.indices.map { Int64($0) + 1 }))
        let report = try await services.stores.reports.create(draft, by: viewer.account.id)
        var json = JSONWriter()
        json.report(report, try services.entities(for: request))
        return Response(json: json)
    }
}

extension Services {
    /// The rules of this server; the id of a rule is its position, counted from 1.
    var rules: [String] { site.description.rules }
}

extension ReportDraft {
    /// Reads the parameters of a new report. `forward` is ignored, because there is no other server.
    /// - Throws: ``FeedError`` `.notFound` without an account or for an id that is not a number, `.invalid` for an
    ///   unknown category or too many ids.
    fileprivate init(_ input: InputValues) throws(FeedError) {
        guard let target = try input.id(.accountID) else { throw .notFound }
        self.init(targetID: target)
        comment = try input.one("comment") ?? ""
        statusIDs = try Self.ids(input, .statusIDs)
        ruleIDs = try Self.ids(input, .ruleIDs)
        var wanted: Report.Category?
        if let word = try input.one("category"), !word.isEmpty {
            wanted = Report.Category(rawValue: word)
            guard wanted != nil else { throw .invalid("Category is not included in the list") }
        }
        category = ReportRule.category(wanted, ruleIDs: ruleIDs)
    }

    /// The distinct ids of a list.
    private static func ids(_ input: InputValues, _ parameter: IntegerParameter) throws(FeedError) -> [Int64] {
        var found: [Int64] = []
        for text in input.all(parameter.rawValue) where !text.isEmpty {
            guard text.isDigits, let id = Int64(text) else { throw .notFound }
            if !found.contains(id) { found.append(id) }
        }
        return found
    }
}
