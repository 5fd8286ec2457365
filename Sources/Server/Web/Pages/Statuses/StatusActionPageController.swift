import FeedAPI
import FeedCore
import FeedStore
import HTTPTypes
import NIOCore

/// Actions of members on a status by the forms of its page: favourite, boost, bookmark, pin, vote and delete it. Each
/// form leads back to the place on the page where it was sent.
struct StatusActionPageController: Sendable {
    private static let marks: [(verb: String, mark: StatusMark, scope: Scope)] = [
        ("favourite", .favourite, .writeFavourites), ("bookmark", .bookmark, .writeBookmarks),
        ("pin", .pin, .writeAccounts),
    ]

    let statuses: StatusStore
    let boosts: BoostStore
    let polls: PollStore
    let page: DeletionPage
    let errors: ErrorPage
    let settings: ReloadableSettings

    func addEndpoints(to endpoints: Endpoints) {
        for (verb, mark, scope) in Self.marks {
            for isSet in [true, false] {
                post("/statuses/:id/\(isSet ? "" : "un")\(verb)", scope, to: endpoints) {
                    try await statuses.set(mark, isSet, on: $0, by: $1.id)
                }
            }
        }
        post("/statuses/:id/reblog", .writeStatuses, to: endpoints) {
            try await boosts.boost($0, visibility: $1.defaultVisibility, by: $1.id)
        }
        post("/statuses/:id/unreblog", .writeStatuses, to: endpoints) { try await boosts.unboost($0, by: $1.id) }
        endpoints.post("/polls/:id/votes", .member(.writeStatuses)) { request, context in
            try await errors.form { try await vote(request, context) }
        }
        endpoints.get("/statuses/:id/delete", .member(.writeStatuses)) { request, context in
            try await errors.form { try await ask(request, context) }
        }
        endpoints.post("/statuses/:id/delete", .member(.writeStatuses)) { request, context in
            try await errors.form { try await delete(request, context) }
        }
    }

    /// Adds the endpoint of a button.
    private func post(
        _ path: String, _ scope: Scope, to endpoints: Endpoints,
        _ act: @escaping @Sendable (Int64, Account) async throws -> Status
    ) {
        endpoints.post(path, .member(scope)) { request, context in
            try await errors.form {
                let id = try context.id()
                let input = try await request.input(upTo: settings.limits.formBytes, context: context)
                _ = try await act(id, try context.require().account)
                return .back(to: id, at: input.next)
            }
        }
    }

    private func vote(_ request: Request, _ context: RequestContext) async throws -> Response {
        let id = try context.id()
        let input = try await request.input(upTo: settings.limits.formBytes, context: context)
        guard input.all("choices").contains(where: { !$0.isEmpty }) else {
            throw FeedError(.invalid, "No answer is chosen", hint: "Go back, choose an answer, and vote again.")
        }
        _ = try await polls.vote(try input.choices(), in: id, by: try context.require().account.id)
        return .back(to: id, at: input.next)
    }

    /// Shows what would be deleted.
    private func ask(_ request: Request, _ context: RequestContext) async throws -> Response {
        let account = try context.require().account
        let status = try await statuses.status(id: try context.id(), for: account.id)
        guard let status, status.account.id == account.id, status.boost == nil else { throw FeedError.notFound }
        return try page.question(about: status, next: try request.query.next, request, context)
    }

    private func delete(_ request: Request, _ context: RequestContext) async throws -> Response {
        let (id, account) = (try context.id(), try context.require().account)
        let input = try await request.input(upTo: settings.limits.formBytes, context: context)
        guard try await statuses.delete(id: id, by: account.id) != nil else { throw FeedError.notFound }
        // The page of the status is gone.
        let next = input.next.flatMap { $0.isPage(of: id) ? nil : $0.text }
        return Response(status: .seeOther, headers: [.location: next ?? "/@" + account.username])
    }
}

extension Response {
    /// Leads back to a status on the page from which a form was sent.
    static func back(to status: Int64, at page: LocalPath?) -> Response {
        let path = page?.text ?? "/statuses/\(status)"
        return Response(status: .seeOther, headers: [.location: "\(path)#status-\(status)"])
    }
}

extension RequestParameters {
    /// The page to which a form leads back, without a fragment.
    var next: LocalPath? {
        self["next"].flatMap { LocalPath(String(Substring($0.utf8.prefix { $0 != UInt8(ascii: "#") }))) }
    }
}

extension LocalPath {
    /// Whether this is the address of a status: `/@NAME/ID` or `/statuses/ID`.
    fileprivate func isPage(of status: Int64) -> Bool {
        let path = text.utf8.prefix { $0 != UInt8(ascii: "?") }
        let parts = path.split(separator: UInt8(ascii: "/"))
        return parts.count > 1 && parts[1].elementsEqual(String(status).utf8)
            && (parts[0].first == UInt8(ascii: "@") || parts[0].elementsEqual("statuses".utf8)
                || parts[0].starts(with: "%40".utf8))
    }
}

/// Renders the page that asks whether a status is to be deleted.
struct DeletionPage: Sendable {
    let assets: PageAssets
    let baseURL: BaseURL
    let emoji: EmojiCatalog

    func question(
        about status: Status, next: LocalPath?, _ request: Request, _ context: RequestContext
    ) throws -> Response {
        var page = try assets.page(
            for: request, context, base: try baseURL.text(for: request), emoji: emoji.current)
        page.setTitle("\(page.text.deletePost) – \(page.site.title)", heading: page.text.deletePost)
        // Without buttons.
        page.setViewer(nil, at: next)
        page.show([status])
        page.set(.noindex, true)
        page.set(.deletion, String(status.id))
        page.set(.url, next?.text ?? "/@\(status.account.username)/\(status.id)")
        return Response(
            status: .ok,
            headers: [.contentType: "text/html; charset=utf-8", .contentSecurityPolicy: PageController.policy],
            body: .init(byteBuffer: .init(bytes: page.html())))
    }
}
