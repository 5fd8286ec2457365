import FeedAPI
import FeedCore
import FeedStore
import HTTPTypes

/// The threads of direct posts of a member: `/conversations`. Opening one marks it as read.
struct ConversationsPageController: Sendable {
    let conversations: ConversationStore
    let pages: MemberPage

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

    private func list(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require().account
        let page = try Pagination(request.query, limits: pages.settings.limits)
        let found = try await conversations.conversations(of: viewer.id, page: page)
        var shown = try pages.page(\.conversations, for: request, context)
        shown.showRows(found.entries.map { TemplateValues($0, for: viewer, in: shown.locale) })
        if found.entries.isEmpty { shown.setEmpty(shown.text.nothingInConversations) }
        shown.setPages(page, request, newest: found.newest, oldest: found.oldest, hasOlder: found.hasOlder)
        return pages.response(with: shown, context)
    }

    private func open(_ context: RequestContext) async throws -> Response {
        let read = try await conversations.markRead(try context.id(), of: try context.require().account.id)
        let path = read.lastStatus.map { "/@\($0.account.username)/\($0.id)" } ?? "/conversations"
        return Response(status: .seeOther, headers: [.location: path])
    }
}

extension TemplateValues {
    fileprivate init(_ conversation: Conversation, for viewer: Account, in locale: PageLocale) {
        let text = locale.text
        let names = conversation.accounts.map(\.displayNameOrUsername).joined(separator: text.listSeparator)
        self.init(
            row: names.nonEmpty ?? text.removedAccounts, at: "/conversations/\(conversation.id)",
            buttons: [PageButton(path: "/conversations/\(conversation.id)/hide", label: text.hide, subject: names)])
        set(.unread, conversation.isUnread)
        guard let status = conversation.lastStatus else { return }
        let excerpt = PageExcerpt.text(status) ?? text.postWithoutText
        set(.excerpt, status.account.id == viewer.id ? text.you(excerpt) : excerpt)
        set(.datetime, ISO8601.text(milliseconds: status.createdAt))
        set(.dateText, locale.date(status.createdAt))
    }
}
