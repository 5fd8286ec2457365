import FeedCore
import FeedStore
import HTTPTypes

/// The pages on which members make and change their lists: `/lists`, `/lists/ID/edit` and `/lists/ID/delete`.
struct ListsPageController: Sendable {
    let lists: ListStore
    let pages: MemberPage

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get("/lists", .member(.readLists)) { request, context in
            try await pages.errors.form {
                pages.response(with: try await all(RequestParameters(), nil, request, context), context)
            }
        }
        endpoints.post("/lists", .member(.writeLists)) { request, context in
            try await pages.errors.form { try await create(request, context) }
        }
        endpoints.post("/lists/:id/edit", .member(.writeLists)) { request, context in
            try await pages.errors.form { try await change(request, context) }
        }
        endpoints.get("/lists/:id/edit", .member(.readLists)) { request, context in
            try await pages.errors.form {
                pages.response(with: try await edit(nil, nil, request, context), context)
            }
        }
        endpoints.get("/lists/:id/delete", .member(.readLists)) { request, context in
            try await pages.errors.form { try await question(request, context) }
        }
        endpoints.post("/lists/:id/delete", .member(.writeLists)) { request, context in
            try await pages.errors.form {
                try await lists.delete(try context.id(), of: try context.require().account.id)
                return Response(status: .seeOther, headers: [.location: "/lists"])
            }
        }
    }

    private func create(_ request: Request, _ context: RequestContext) async throws -> Response {
        let input = try await request.input(upTo: pages.settings.limits.formBytes, context: context)
        return try await pages.submit(request, context) { refusal in
            try await all(input, refusal.message, request, context)
        } _: {
            let list = try await lists.create(try ListDraft(input), by: try context.require().account.id)
            return Response(status: .seeOther, headers: [.location: "/lists/\(list.id)/members"])
        }
    }

    private func change(_ request: Request, _ context: RequestContext) async throws -> Response {
        let (id, owner) = (try context.id(), try context.require().account.id)
        let input = try await request.input(upTo: pages.settings.limits.formBytes, context: context)
        return try await pages.submit(request, context) { refusal in
            try await edit(input, refusal.message, request, context)
        } _: {
            _ = try await lists.update(id, of: owner, try ListDraft(input))
            return .redirect(after: input, to: "/lists/\(id)")
        }
    }

    /// The lists, and a form for a new one.
    private func all(
        _ input: RequestParameters, _ message: String?, _ request: Request, _ context: RequestContext
    ) async throws -> PageContext {
        let lists = try await lists.lists(of: try context.require().account.id)
        var shown = try pages.page(\.lists, for: request, context)
        shown.showRows(lists.map { TemplateValues(row: $0.title, at: "/lists/\($0.id)") })
        var form = TemplateValues(list: input, else: nil, message: message, shown.text)
        form.set(.formPath, "/lists")
        form.set(.formText, shown.text.newList)
        form.set(.submitLabel, shown.text.words.create)
        shown.set(.listForm, .object(form))
        shown.set(.hasForms, true)
        return shown
    }

    /// The forms that change a list.
    private func edit(
        _ input: RequestParameters?, _ message: String?, _ request: Request, _ context: RequestContext
    ) async throws -> PageContext {
        let list = try await require(context)
        var shown = try pages.page({ _ in list.title }, for: request, context)
        var form = TemplateValues(list: input ?? RequestParameters(), else: list, message: message, shown.text)
        form.set(.formPath, "/lists/\(list.id)/edit")
        form.set(.formText, shown.text.editList)
        form.set(.submitLabel, shown.text.save)
        shown.set(.listForm, .object(form))
        shown.set(.hasForms, true)
        shown.set(.backURL, "/lists/\(list.id)")
        shown.set(.backText, shown.text.listTimeline)
        shown.setTools([PageNavigation.Link(path: "/lists/\(list.id)/members", label: shown.text.members)])
        return shown
    }

    private func question(_ request: Request, _ context: RequestContext) async throws -> Response {
        let list = try await require(context)
        var shown = try pages.page(\.deleteList, for: request, context)
        var form = TemplateValues()
        form.set(.formText, shown.text.deleteListQuestion(list.title))
        form.set(.formPath, "/lists/\(list.id)/delete")
        form.set(.submitLabel, shown.text.words.delete)
        form.set(.cancelURL, "/lists/\(list.id)")
        shown.set(.question, .object(form))
        shown.set(.hasForms, true)
        return pages.response(with: shown, context)
    }

    /// The list in the path.
    private func require(_ context: RequestContext) async throws -> AccountList {
        try await lists.require(try context.id(), of: try context.require().account)
    }
}

extension ListStore {
    /// - Throws: ``FeedError`` `.notFound` if there is no such list, or it belongs to another account.
    func require(_ id: Int64, of owner: Account) async throws -> AccountList {
        guard let list = try await list(id, of: owner.id) else { throw FeedError.notFound }
        return list
    }
}

extension TemplateValues {
    private static let policies: [AccountList.RepliesPolicy] = [.list, .followed, .none]

    /// The form of a list, with what was typed.
    /// - Parameter list: The stored list; `nil` for a new one.
    fileprivate init(
        list input: RequestParameters, else list: AccountList?, message: String?, _ text: any PageText
    ) {
        self.init()
        let policy = input["replies_policy"].flatMap(AccountList.RepliesPolicy.init) ?? list?.repliesPolicy ?? .list
        let isExclusive = input.flag("exclusive") ?? list?.isExclusive ?? false
        set(.message, message)
        set(.value, input["title"] ?? list?.title ?? "")
        self[.policies] = .list(
            Self.policies.map { TemplateValues($0.rawValue, text.replies($0), isSelected: $0 == policy) })
        self[.exclusives] = .list([
            TemplateValues("false", text.alsoAtHome, isSelected: !isExclusive),
            TemplateValues("true", text.onlyInList, isSelected: isExclusive),
        ])
    }
}
