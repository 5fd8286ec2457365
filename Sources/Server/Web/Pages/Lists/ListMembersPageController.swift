import FeedAPI
import FeedCore
import FeedStore
import HTTPTypes

/// The members of a list: `/lists/ID/members`.
struct ListMembersPageController: Sendable {
    let lists: ListStore
    let accounts: AccountStore
    let pages: MemberPage

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get("/lists/:id/members", .member(.readLists)) { request, context in
            try await pages.errors.form {
                pages.response(with: try await members("", nil, request, context), context)
            }
        }
        endpoints.post("/lists/:id/members", .member(.writeLists)) { request, context in
            try await pages.errors.form { try await add(request, context) }
        }
        endpoints.post("/lists/:id/members/remove", .member(.writeLists)) { request, context in
            try await pages.errors.form { try await remove(request, context) }
        }
    }

    private func add(_ request: Request, _ context: RequestContext) async throws -> Response {
        let list = try await lists.require(try context.id(), of: try context.require().account)
        let input = try await request.input(upTo: pages.settings.limits.formBytes, context: context)
        let name = input["name"] ?? ""
        return try await pages.submit(request, context) { refusal in
            try await members(name, refusal.message, request, context)
        } _: {
            try await add(name, to: list)
            return .redirect(after: input, to: "/lists/\(list.id)/members")
        }
    }

    /// - Throws: ``FeedError`` `.invalid` for an account that the owner does not follow, so that the form shows it.
    private func add(_ name: String, to list: AccountList) async throws {
        do {
            guard let handle = AccountHandle(name), let account = try await accounts.account(named: handle.name) else {
                throw FeedError.notFound
            }
            try await lists.add([account.id], to: list.id, of: list.ownerID)
        } catch let error as FeedError where error.kind == .notFound {
            throw FeedError(.invalid, "You follow nobody of this name", hint: nil)
        }
    }

    private func remove(_ request: Request, _ context: RequestContext) async throws -> Response {
        let (id, owner) = (try context.id(), try context.require().account.id)
        let input = try await request.input(upTo: pages.settings.limits.formBytes, context: context)
        guard let member = try input.id(.id) else { throw FeedError.notFound }
        try await lists.remove([member], from: id, of: owner)
        return .redirect(after: input, to: "/lists/\(id)/members")
    }

    private func members(
        _ name: String, _ message: String?, _ request: Request, _ context: RequestContext
    ) async throws -> PageContext {
        let list = try await lists.require(try context.id(), of: try context.require().account)
        let page = try Pagination.list(request.query, limits: pages.settings.limits)
        let (people, hasOlder) = page.split(try await lists.members(of: list.id, page: page.fetchingOneExtra))
        var shown = try pages.page({ $0.members(of: list.title) }, for: request, context)
        shown.setLineForm(
            shown.text.newMember, value: name, message: message, path: "/lists/\(list.id)/members",
            submit: shown.text.add)
        let remove = shown.text.words.remove
        shown.show(people) { account in
            [
                PageButton(
                    path: "/lists/\(list.id)/members/remove", label: remove, subject: "@" + account.username,
                    id: account.id)
            ]
        }
        if people.isEmpty { shown.setEmpty(shown.text.nobodyYet) }
        shown.setPages(page, request, newest: people.first?.id, oldest: people.last?.id, hasOlder: hasOlder)
        shown.set(.backURL, "/lists/\(list.id)")
        shown.set(.backText, shown.text.listTimeline)
        return shown
    }
}

extension PageContext {
    /// Shows a form with a single line.
    mutating func setLineForm(_ label: String, value: String, message: String?, path: String, submit: String) {
        var form = TemplateValues()
        form.set(.formText, label)
        form.set(.value, value)
        form.set(.message, message)
        form.set(.formPath, path)
        form.set(.submitLabel, submit)
        set(.lineForm, .object(form))
        set(.hasForms, true)
    }

    /// Shows lists, hashtags or conversations.
    mutating func showRows(_ rows: [TemplateValues]) {
        set(.rows, .list(rows))
        set(.hasRows, !rows.isEmpty)
    }
}

extension TemplateValues {
    /// A list, a hashtag, a conversation or something else in a list.
    /// - Parameter path: Its page; `nil` if it has none.
    init(row title: String, at path: String?, buttons: [PageButton] = []) {
        self.init()
        set(.rowTitle, title)
        set(.rowURL, path)
        set(.hasButtons, !buttons.isEmpty)
        self[.buttons] = .list(buttons.map { TemplateValues($0) })
    }
}
