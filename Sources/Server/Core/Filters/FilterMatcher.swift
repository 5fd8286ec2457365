/// A viewer's filters, prepared so that a status is compared with all keywords at once.
package struct FilterMatcher: Sendable {
    /// The filters of a viewer without any, and of an anonymous visitor.
    package static let none = FilterMatcher([])

    /// A keyword by the positions of its filter and of itself in the filter.
    private struct Place: Sendable {
        let filter: Int
        let keyword: Int
    }

    /// A keyword in the form that is searched for.
    private struct Keyword: Sendable {
        let bytes: [UInt8]
        let place: Place
    }

    /// The keywords that are searched for in one form of a text.
    private struct Search: Sendable {
        let automaton: KeywordAutomaton
        /// The places of each keyword of the automaton.
        let places: [[Place]]

        init(_ keywords: [Keyword]) {
            let groups = Dictionary(grouping: keywords, by: \.bytes)
            let distinct = Array(groups.keys)
            automaton = KeywordAutomaton(distinct)
            places = distinct.map { groups[$0, default: []].map(\.place) }
        }

        /// Adds the places of the keywords that occur in the texts.
        func find(in texts: [[UInt8]], _ found: inout [Place]) {
            var isFound = [Bool](repeating: false, count: automaton.count)
            var numbers: [Int] = []
            for text in texts { automaton.find(in: text, &isFound, &numbers) }
            for number in numbers { found += places[number] }
        }
    }

    private let filters: [Filter]
    private let parts: Search
    private let words: Search
    /// The positions of the filters that contain each status.
    private let filtersByStatus: [Int64: [Int]]

    package init(_ filters: [Filter]) {
        self.filters = filters
        var (parts, words): ([Keyword], [Keyword]) = ([], [])
        var filtersByStatus: [Int64: [Int]] = [:]
        for (number, filter) in filters.enumerated() {
            for (position, keyword) in filter.keywords.enumerated() {
                let place = Place(filter: number, keyword: position)
                for text in keyword.forms.map(FilterText.init) where !text.plain.isEmpty {
                    if keyword.isWholeWord {
                        words.append(Keyword(bytes: text.marked, place: place))
                    } else {
                        parts.append(Keyword(bytes: text.plain, place: place))
                    }
                }
            }
            for entry in filter.statuses { filtersByStatus[entry.statusID, default: []].append(number) }
        }
        self.parts = Search(parts)
        self.words = Search(words)
        self.filtersByStatus = filtersByStatus
    }

    package var isEmpty: Bool { filters.isEmpty }

    /// The approximate memory in bytes.
    package var cost: Int {
        let texts = filters.reduce(0) { sum, filter in
            sum + 200 + filter.title.utf8.count + 64 * filter.statuses.count
                + filter.keywords.reduce(0) { $0 + 150 + $1.text.utf8.count }
        }
        return isEmpty ? 100 : texts + parts.automaton.cost + words.automaton.cost
    }

    /// The filters that match a status, in their order.
    /// - Parameters:
    ///   - context: The place where the status is shown; `nil` if it is unknown.
    ///   - now: Milliseconds since 1970.
    package func matches(_ status: Status, in context: Filter.Context?, at now: Int64) -> [FilterMatch] {
        let ids = [status.id, status.boost?.id].compactMap(\.self)
        return matches(status.filteredTexts, ids: ids, in: context, at: now)
    }

    /// - Parameters:
    ///   - texts: Everything that the status shows.
    ///   - ids: Its id and that of its boost, if any.
    func matches(_ texts: [String], ids: [Int64], in context: Filter.Context?, at now: Int64) -> [FilterMatch] {
        let active = filters.map { $0.isActive(in: context, at: now) }
        guard active.contains(true) else { return [] }
        var keywords: [Int: Set<Int>] = [:]
        for place in places(in: texts) where active[place.filter] {
            keywords[place.filter, default: []].insert(place.keyword)
        }
        var statuses: [Int: [Int64]] = [:]
        for id in ids {
            for filter in filtersByStatus[id] ?? [] where active[filter] { statuses[filter, default: []].append(id) }
        }
        return Set(keywords.keys).union(statuses.keys).sorted().map { number in
            let filter = filters[number]
            return FilterMatch(
                filter: filter, keywords: keywords[number, default: []].sorted().map { filter.keywords[$0].text },
                statuses: statuses[number, default: []])
        }
    }

    private func places(in texts: [String]) -> [Place] {
        guard parts.automaton.count + words.automaton.count > 0 else { return [] }
        let texts = texts.filter { !$0.isEmpty }.map(FilterText.init)
        var places: [Place] = []
        if parts.automaton.count > 0 { parts.find(in: texts.map(\.plain), &places) }
        if words.automaton.count > 0 { words.find(in: texts.map(\.marked), &places) }
        return places
    }
}

extension Status {
    /// Everything in which filters look for keywords.
    package var filteredTexts: [String] {
        [spoilerText, text] + media.compactMap(\.description) + (poll?.options.map(\.title) ?? []) + foldedTags
    }

    /// The hashtags whose spelling differs from their keys, by which filters find them, too.
    private var foldedTags: [String] {
        tags.compactMap { tag in
            if tag.utf8.allSatisfy({ $0 < 0x80 }) { return nil }
            let key = Hashtag.key(tag)
            return key == tag.lowercased() ? nil : "#" + key
        }
    }
}

extension Filter.Keyword {
    /// The text, and the key of the hashtag if it is one.
    fileprivate var forms: [String] {
        guard let first = text.unicodeScalars.first, Hashtag.isSign(first), let name = Hashtag.name(text) else {
            return [text]
        }
        let hashtag = "#" + Hashtag.key(name)
        return hashtag == text.lowercased() ? [text] : [text, hashtag]
    }
}
