import FeedCore
import FeedStore
import HTTPTypes

/// The pages on which members make and change their filters: `/settings/filters`, `/settings/filters/ID`.
struct FilterPageController: Sendable {
    private static let path = "/settings/filters"

    let filters: FilterStore
    let pages: MemberPages
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
    /// What the filter does, as a text.
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

/// The form of a filter.
enum FilterForm {
    private static let durations: [PageDuration] = [
        .minutes(30), .hours(1), .hours(6), .hours(12), .days(1), .days(7), .days(30),
    ]
    /// The number of empty fields for more keywords.
    private static let spare = 3

    private static func keyword(_ number: Int, _ part: String) -> String { "keywords_attributes[\(number)][\(part)]" }

    /// - Parameters:
    ///   - filter: The stored filter; `nil` for a new one.
    ///   - input: What was typed; empty for the stored values.
    static func fields(of filter: Filter?, _ input: RequestParameters, _ locale: PageLocale) -> [PageForm.Field] {
        let text = locale.text
        let places = Filter.Context.allCases.map { ($0.rawValue, text.filterPlace($0)) }
        var contexts = PageForm.Field("context", text.filterPlaces, .checks(places))
        contexts.values =
            input["title"] == nil
            ? filter?.contexts.map(\.rawValue) ?? Filter.Context.allCases.map(\.rawValue) : input.all("context")
        let actions = [("warn", text.foldPosts), ("hide", text.hidePosts)]
        let kept = filter.map {
            [("", $0.expiresAt.map { text.asItIs(expiring: locale.date($0)) } ?? text.asItIsNever)]
        }
        let durations = Self.durations.map { (String($0.seconds), text.durationFromNow($0)) }
        let fields = [
            PageForm.Field("title", text.words.title, .line("text"), input["title"] ?? filter?.title).required(),
            contexts,
            PageForm.Field(
                "filter_action", text.filterAction, .select(actions), input["filter_action"] ?? filter?.action.rawValue),
            PageForm.Field(
                "expires_in", text.expiry, .select((kept ?? []) + [("0", text.never)] + durations),
                input["expires_in"] ?? ""),
        ]
        return fields + keywords(of: filter, input, text)
    }

    private static func keywords(
        of filter: Filter?, _ input: RequestParameters, _ language: any PageText
    ) -> [PageForm.Field] {
        let places = [("true", language.wholeWord), ("false", language.anywhere)]
        let stored = filter?.keywords ?? []
        let sent = ((try? input.objects("keywords_attributes")) ?? nil)?.count ?? 0
        return (0..<max(stored.count + spare, sent)).flatMap { number in
            let known = stored.indices.contains(number) ? stored[number] : nil
            let (text, word) = (keyword(number, "keyword"), keyword(number, "whole_word"))
            let fields = [
                PageForm.Field(text, language.keyword(number + 1), .line("text"), input[text] ?? known?.text)
                    .hint(number == 0 ? language.keywordHint : nil),
                PageForm.Field(
                    word, language.keywordPlace(number + 1), .select(places),
                    input[word] ?? String(known?.isWholeWord ?? true)),
            ]
            return fields + (known.map { [.hidden(keyword(number, "id"), String($0.id))] } ?? [])
        }
    }

    /// The filter as it was typed, checked field by field. An empty keyword is removed.
    /// - Throws: ``FieldRefusal``.
    static func draft(_ input: RequestParameters, of filter: Filter?, at now: Int64) throws -> FilterDraft {
        var draft = try FilterDraft(input, at: now)
        if input["expires_in"]?.isEmpty ?? true { draft.expiry = nil }
        draft.contexts = draft.contexts ?? []
        let title = FilterDraft(title: draft.title ?? "", contexts: [.home])
        _ = try FieldRefusal.at("title") { try FilterRule.apply(title, to: filter) }
        guard draft.contexts != [] else {
            throw FieldRefusal("context", .invalid("Choose at least one place where the filter applies"))
        }
        for number in draft.keywords.indices {
            let keyword = draft.keywords[number]
            if (keyword.text ?? "").trimmedWhitespace.isEmpty {
                draft.keywords[number].isRemoved = true
            } else {
                let known = filter?.keywords.first { $0.id == keyword.id }
                _ = try FieldRefusal.at(Self.keyword(number, "keyword")) { try FilterRule.apply(keyword, to: known) }
            }
        }
        return draft
    }
}
