import FeedCore

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
