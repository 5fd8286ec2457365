import FeedCore
import FeedStore
import HTTPTypes
import NIOCore

/// The page on which members post and reply: `/compose`.
struct ComposeController: Sendable {
    let statuses: StatusStore
    let publishing: StatusPublishing
    /// `nil` without rate limits.
    let rates: RateLimiter?
    let baseURL: BaseURL
    let page: ComposePage
    let errors: ErrorPages
    let settings: ReloadableSettings

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get("/compose", .member(.writeStatuses)) { request, context in
            try await errors.form { try await show(request, context) }
        }
        endpoints.post("/compose", .member(.writeStatuses)) { request, context in
            try await errors.form { try await post(request, context) }
        }
    }

    private func show(_ request: Request, _ context: FeedContext) async throws -> Response {
        let account = try context.require().account
        guard let id = try request.query.id(.inReplyToID) else {
            return try page.form(ComposeState(for: account), request, context)
        }
        guard let target = try await statuses.status(id: id, for: context.reader?.id) else { throw FeedError.notFound }
        return try page.form(ComposeState(replyTo: target, by: account), request, context)
    }

    private func post(_ request: Request, _ context: FeedContext) async throws -> Response {
        let viewer = try context.require()
        let input = try await request.input(upTo: settings.limits.longFormBytes, context: context)
        var state = ComposeState(input, for: viewer.account)
        do {
            var draft = try StatusDraft(input, viewer)
            (draft.text, draft.spoilerText) = (state.text, state.spoilerText)
            draft.useWarningAsText()
            draft.idempotencyKey = state.idempotencyKey
            try count(viewer.account)
            let host = BaseURL.host(try baseURL.text(for: request))
            let status = try await publishing.posting(on: host).post(draft, by: viewer.account)
            return Response(status: .seeOther, headers: [.location: "/@\(status.account.username)/\(status.id)"])
        } catch let error as FeedError where error.status.code < 500 || error.kind == .unavailable {
            state.message = LoginRefusal.message(error)
            if let id = state.replyID { state.target = try await statuses.status(id: id, for: context.reader?.id) }
            var response = try page.form(state, request, context)
            response.status = LoginRefusal.status(error)
            if let seconds = error.retryAfter { response.headers[.retryAfter] = String(seconds) }
            return response
        }
    }

    /// Counts a post here rather than before, so that a refusal keeps what was typed.
    private func count(_ account: Account) throws(FeedError) {
        guard let rates else { return }
        let (state, now) = rates.consume(.post, .account(account.id))
        guard let state, state.isRefused else { return }
        throw .rateLimited("Too many posts", retryAfter: state.secondsLeft(now: now))
    }
}

/// What a member has typed on the page.
struct ComposeState: Sendable {
    var text = ""
    var spoilerText = ""
    var visibility: Visibility
    /// The status that is replied to.
    var target: Status?
    var replyID: Int64?
    /// Random, the same as long as the form is open.
    var key = Secret.randomText()
    var message: String?

    init(for account: Account) { visibility = account.defaultVisibility }

    /// A reply mentions whom the status mentions, and is not seen by more people.
    init(replyTo target: Status, by account: Account) {
        self.init(for: account)
        (self.target, replyID) = (target, target.id)
        if target.visibility.rawValue > visibility.rawValue { visibility = target.visibility }
        spoilerText = target.spoilerText
        let others = target.mentions.map { ($0.id, $0.username) }
        var names: [String] = []
        for (id, name) in [(target.account.id, target.account.username)] + others
        where id != account.id && !names.contains(name) {
            names.append(name)
        }
        text = names.map { "@\($0) " }.joined()
    }

    /// Browsers send line breaks as CR LF.
    init(_ input: InputValues, for account: Account) {
        self.init(for: account)
        text = (input["status"] ?? "").replacing("\r\n", with: "\n")
        spoilerText = input["spoiler_text"] ?? ""
        visibility = input["visibility"].flatMap { Visibility(apiName: $0) } ?? visibility
        replyID = (try? input.id(.inReplyToID)) ?? nil
        if let sent = input["key"], AuthorizationCode.isBase64URL256(sent) { key = sent }
    }

    /// A double click posts once. Another text from the same form, after a return to it, is another status.
    var idempotencyKey: String {
        let parts = [text, spoilerText, visibility.apiName, replyID.map { String($0) } ?? ""]
        let content = parts.map { "\($0.utf8.count):\($0)" }.joined()
        return key + "." + Hexadecimal.text(Secret.hash(content).prefix(16))
    }
}

/// Renders the page on which members post.
struct ComposePage: Sendable {
    private static let labels: [(visibility: Visibility, label: String)] = [
        (.public, "Public"), (.unlisted, "Unlisted: not in the public timeline"), (.followers, "Followers only"),
        (.direct, "Direct: only the people mentioned"),
    ]

    let reader: WebReader

    func form(_ state: ComposeState, _ request: Request, _ context: FeedContext) throws -> Response {
        var page = try reader.page(for: request, context)
        let heading = state.replyID == nil ? "New post" : "Reply"
        page.setTitle("\(heading) – \(page.site.title)", heading: heading)
        page.set(.message, state.message)
        page.set(.statusText, state.text)
        page.set(.spoiler, state.spoilerText)
        page.set(.key, state.key)
        page.set(.replyID, state.replyID.map { String($0) })
        page.set(.replyName, state.target.map { $0.account.displayNameOrUsername })
        page.set(.replyURL, state.target.map { "/@\($0.account.username)/\($0.id)" })
        page.set(.visibilities, .list(Self.labels.map { Self.option($0, $1, isSelected: $0 == state.visibility) }))
        return Response(
            status: .ok, headers: [.contentType: "text/html; charset=utf-8", .contentSecurityPolicy: LoginPage.policy],
            body: .init(byteBuffer: .init(bytes: page.html("compose"))))
    }

    private static func option(_ visibility: Visibility, _ label: String, isSelected: Bool) -> TemplateValues {
        var values = TemplateValues()
        values.set(.value, visibility.apiName)
        values.set(.label, label)
        values.set(.selected, isSelected)
        return values
    }
}
