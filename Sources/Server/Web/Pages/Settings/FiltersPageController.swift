import FeedCore
import FeedStore

/// The pages on which members make and change their filters: `/settings/filters`, `/settings/filters/ID`.
struct FiltersPageController: Sendable {
    private static let path = "/settings/filters"

    let filters: FilterStore
    let pages: MemberPage
    let clock: WallClock

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get(Self.path, .member(.readFilters)) { request, context in
            try await pages.errors.form {
                pages.response(with: try await all(RequestParameters(), nil, request, context), context)
            }
        }
        endpoints.post(Self.path, .member(.writeFilters)) { request, context in
            try await pages.errors.form { try await create(request, context) }
        }
        endpoints.get(Self.path + "/:id", .member(.readFilters)) { request, context in
            try await pages.errors.form {
                let filter = try await filters.filter(try context.id(), of: try context.require().account.id)
                return pages.response(with: try edit(filter, nil, nil, request, context), context)
            }
        }
        endpoints.post(Self.path + "/:id", .member(.writeFilters)) { request, context in
            try await pages.errors.form { try await change(request, context) }
        }
        endpoints.post(Self.path + "/:id/delete", .member(.writeFilters)) { request, context in
            try await pages.errors.form {
                try await filters.delete(try context.id(), of: try context.require().account.id)
                return .seeOther(Self.path)
            }
        }
    }

    private func input(_ request: Request, _ context: RequestContext) async throws -> RequestParameters {
        try await request.input(
            upTo: pages.settings.limits.longFormBytes, count: FilterController.maximumValues, context: context)
    }

    private func create(_ request: Request, _ context: RequestContext) async throws -> Response {
        let input = try await input(request, context)
        return try await pages.submit(request, context) { refusal in
            try await all(input, refusal, request, context)
        } _: {
            let draft = try FilterForm.draft(input, of: nil, at: clock.now())
            let filter = try await filters.create(draft, by: try context.require().account.id)
            return .seeOther("\(Self.path)/\(filter.id)?saved")
        }
    }

    private func change(_ request: Request, _ context: RequestContext) async throws -> Response {
        let account = try context.require().account.id
        let filter = try await filters.filter(try context.id(), of: account)
        let input = try await input(request, context)
        return try await pages.submit(request, context) { refusal in
            try edit(filter, input, refusal, request, context)
        } _: {
            let draft = try FilterForm.draft(input, of: filter, at: clock.now())
            _ = try await filters.update(filter.id, of: account, draft)
            return .seeOther("\(Self.path)/\(filter.id)?saved")
        }
    }

    /// The filters, and a form for a new one.
    private func all(
        _ input: RequestParameters, _ refusal: PageForm.Refusal?, _ request: Request, _ context: RequestContext
    ) async throws -> PageContext {
        let filters = try await filters.filters(of: try context.require().account.id)
        var shown = try pages.settings({ $0.entry(.filters).title }, request, context)
        let locale = shown.locale
        var form = PageForm(path: Self.path, submit: shown.text.words.create)
        form.heading = shown.text.newFilter
        form.fields = FilterForm.fields(of: nil, input, locale)
        form.refusal = refusal
        shown.show([form])
        if !filters.isEmpty { shown.set(.rowsHeading, shown.text.yourFilters) }
        shown.showRows(
            filters.map {
                TemplateValues($0.title, $0.summary(in: locale, at: clock.now()), at: "\(Self.path)/\($0.id)")
            })
        return shown
    }

    private func edit(
        _ filter: Filter, _ input: RequestParameters?, _ refusal: PageForm.Refusal?, _ request: Request,
        _ context: RequestContext
    ) throws -> PageContext {
        var shown = try pages.settings({ _ in filter.title }, request, context)
        let text = shown.text
        var form = PageForm(path: "\(Self.path)/\(filter.id)", submit: text.save)
        if !filter.statuses.isEmpty {
            form.notes = [text.matchesPosts(filter.statuses.count)]
        }
        form.fields = FilterForm.fields(of: filter, input ?? RequestParameters(), shown.locale)
        form.refusal = refusal
        shown.show([form, PageForm(path: "\(Self.path)/\(filter.id)/delete", submit: text.deleteFilter)])
        shown.set(.backURL, Self.path)
        shown.set(.backText, text.entry(.filters).title)
        return shown
    }
}

extension Filter {
    /// The effect of the filter, as a text.
    fileprivate func summary(in locale: PageLocale, at now: Int64) -> String {
        let text = locale.text
        let places = Filter.Context.allCases.filter(contexts.contains).map(text.filterPlace)
        let words = keywords.prefix(5).map { text.quoted($0.text) }.joined(separator: text.listSeparator)
        let end = expiresAt.map { $0 > now ? text.until(locale.date($0)) : text.expired(on: locale.date($0)) }
        return [
            action == .hide ? text.hidesPosts : text.foldsPosts, places.joined(separator: text.listSeparator),
            words + (keywords.count > 5 ? " …" : ""), end ?? "",
        ].filter { !$0.isEmpty }.joined(separator: "\n")
    }
}
