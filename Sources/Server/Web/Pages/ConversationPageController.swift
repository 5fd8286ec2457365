import FeedAPI
import FeedCore
import FeedStore
import HTTPTypes

/// The threads of direct posts of a member: `/conversations`. Opening one marks it as read.
struct ConversationPageController: Sendable {
    let conversations: ConversationStore
    let pages: MemberPages

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get("/conversations", .member(.readStatuses)) { request, context in
            try await pages.errors.form { try await list(request, context) }
        }
        endpoints.get("/conversations/:id", .member(.writeConversations)) { _, context in
            try await pages.errors.form { try await open(context) }
        }
        endpoints.post("/conversations/:id/hide", .member(.writeConversations)) { _, context in
            try await pages.errors.form {
                try await conversations.hide(try context.id(), of: try context.require().account.id)
                return Response(status: .seeOther, headers: [.location: "/conversations"])
            }
        }
    }

    private func list(_ request: Request, _ context: FeedContext) async throws -> Response {
        let viewer = try context.require().account
        let page = try Pagination(request.query, limits: pages.settings.limits)
        let found = try await conversations.conversations(of: viewer.id, page: page)
        var shown = try pages.page("Conversations", for: request, context)
        shown.showRows(found.entries.map { TemplateValues($0, for: viewer) })
        if found.entries.isEmpty { shown.setEmpty("Nothing here yet. Direct posts appear here.") }
        shown.setPages(page, request, newest: found.newest, oldest: found.oldest, hasOlder: found.hasOlder)
        return pages.response(with: shown, context)
    }

    private func open(_ context: FeedContext) async throws -> Response {
        let read = try await conversations.markRead(try context.id(), of: try context.require().account.id)
        let path = read.lastStatus.map { "/@\($0.account.username)/\($0.id)" } ?? "/conversations"
        return Response(status: .seeOther, headers: [.location: path])
    }
}

extension TemplateValues {
    fileprivate init(_ conversation: Conversation, for viewer: Account) {
        let names = conversation.accounts.map(\.displayNameOrUsername).joined(separator: ", ")
        self.init(
            row: names.nonEmpty ?? "Removed accounts", at: "/conversations/\(conversation.id)",
            buttons: [PageButton(path: "/conversations/\(conversation.id)/hide", label: "Hide", subject: names)])
        set(.unread, conversation.isUnread)
        guard let status = conversation.lastStatus else { return }
        let author = status.account.id == viewer.id ? "You: " : ""
        set(.excerpt, author + (PageExcerpt.text(status) ?? "A post without text"))
        set(.datetime, ISO8601.text(milliseconds: status.createdAt))
        set(.dateText, PageDate.full(status.createdAt, in: PageTimeZone(of: viewer)))
    }
}

/// The requests to follow a member: `/follow_requests`. The buttons send them to ``ProfileActionController``.
struct FollowRequestPageController: Sendable {
    let follows: FollowStore
    let pages: MemberPages

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get("/follow_requests", .member(.readFollows)) { request, context in
            try await pages.errors.form { try await list(request, context) }
        }
    }

    private func list(_ request: Request, _ context: FeedContext) async throws -> Response {
        let page = try Pagination.list(request.query, limits: pages.settings.limits)
        let fetched = try await follows.requests(
            to: try context.require().account.id, page: page.fetchingOneExtra)
        let (requests, hasOlder) = page.split(fetched)
        var shown = try pages.page("Follow requests", for: request, context)
        shown.show(requests.map(\.account)) { PageButton.answers(to: $0, next: "/follow_requests") }
        if requests.isEmpty { shown.setEmpty("Nobody is waiting for an answer.") }
        shown.setPages(page, request, newest: requests.first?.id, oldest: requests.last?.id, hasOlder: hasOlder)
        return pages.response(with: shown, context)
    }
}

extension PageButton {
    /// The answers to a follow request.
    static func answers(to account: Account, next: String) -> [PageButton] {
        let (path, name) = ("/@" + account.username, "@" + account.username)
        return [
            PageButton(path: path + "/accept", label: "Accept", subject: name, next: next, isMain: true),
            PageButton(path: path + "/reject", label: "Reject", subject: name, next: next),
        ]
    }
}
