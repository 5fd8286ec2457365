import FeedCore
import FeedStore
import HTTPTypes

/// The form with which members report an account, and possibly one of its posts: `/@NAME/report`.
struct ReportPageController: Sendable {
    let accounts: AccountStore
    let statuses: StatusStore
    let reports: ReportStore
    let pages: MemberPage

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get("/@{name}/report", .member(.writeReports)) { request, context in
            try await pages.errors.form {
                pages.response(with: try await page(try request.query, nil, request, context), context)
            }
        }
        endpoints.post("/@{name}/report", .member(.writeReports)) { request, context in
            try await pages.errors.form { try await report(request, context) }
        }
    }

    private func report(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require().account
        let target = try await accounts.requireOther(try context.segment("name"), than: viewer)
        let input = try await request.input(upTo: pages.settings.limits.longFormBytes, context: context)
        return try await pages.submit(request, context) { refusal in
            try await page(input, refusal.message, request, context)
        } _: {
            let draft = try ReportDraft(input, of: target.id)
            try ReportRule.check(draft, ruleCount: pages.settings.site.rules.count)
            _ = try await reports.create(draft, by: viewer.id)
            return Response(status: .seeOther, headers: [.location: "/@\(target.username)/report?sent=1"])
        }
    }

    /// - Parameter input: What was typed, or the query, which may name a status.
    private func page(
        _ input: RequestParameters, _ message: String?, _ request: Request, _ context: RequestContext
    ) async throws -> PageContext {
        let viewer = try context.require().account
        let target = try await accounts.requireOther(try context.segment("name"), than: viewer)
        var shown = try pages.page({ $0.report(of: target.username) }, for: request, context)
        var form = TemplateValues(form: "report", about: target, message: message)
        form.set(.done, input.flag("sent") ?? false ? shown.text.reportSent : nil)
        form.set(.formText, shown.text.reportHint(target.username))
        form.set(.commentLabel, shown.text.reportQuestion)
        form.set(.comment, input["comment"] ?? "")
        form.set(.submitLabel, shown.text.words.report)
        form.setChoices(input, rules: pages.settings.site.rules, shown.text)
        if let status = try await status(input, of: target, for: viewer) {
            form.set(.reportedID, String(status.id))
            form.set(.excerpt, PageExcerpt.text(status))
        }
        shown.set(.reportForm, .object(form))
        return shown
    }

    /// The status that is reported, if the viewer may see it.
    private func status(_ input: RequestParameters, of target: Account, for viewer: Account) async throws -> Status? {
        guard let id = (input["status"] ?? input.all(IntegerParameter.statusIDs.rawValue).first).flatMap(Int64.init),
            let status = try await statuses.status(id: id, for: viewer.id), ReportRule.accepts(status, of: target.id)
        else { return nil }
        return status
    }
}

extension TemplateValues {
    /// A form about an account.
    /// - Parameter name: The last segment of its path.
    init(form name: String, about account: Account, message: String?) {
        self.init()
        set(.formName, name)
        set(.url, "/@" + account.username)
        set(.message, message)
    }

    /// The reasons for a report.
    fileprivate mutating func setChoices(_ input: RequestParameters, rules: [String], _ text: any PageText) {
        let chosen = input["category"].flatMap(Report.Category.init) ?? .other
        self[.reportReasons] = .list(
            Report.Category.allCases.enumerated().map { index, category in
                var values = TemplateValues(
                    category.rawValue, text.reason(category), isSelected: category == chosen)
                values.set(.isFirst, index == 0)
                values.set(.isLast, index == Report.Category.allCases.count - 1)
                return values
            })
        let violated = Set(input.all(IntegerParameter.ruleIDs.rawValue))
        set(.hasRules, !rules.isEmpty)
        self[.ruleRows] = .list(
            rules.enumerated().map { index, rule in
                let id = String(index + 1)
                return TemplateValues(id, rule, isSelected: violated.contains(id))
            })
    }

    /// A choice in a form.
    init(_ value: String, _ label: String, isSelected: Bool) {
        self.init()
        set(.value, value)
        set(.label, label)
        set(.selected, isSelected)
    }
}
