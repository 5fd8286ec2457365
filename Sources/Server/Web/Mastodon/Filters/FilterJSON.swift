import FeedAPI
import FeedCore

extension JSONWriter {
    /// Writes a Filter entity.
    mutating func filter(_ filter: Filter) {
        object {
            $0.filterFields(filter)
            $0.array("keywords") { for keyword in filter.keywords { $0.filterKeyword(keyword) } }
            $0.array("statuses") { for entry in filter.statuses { $0.filterStatus(entry) } }
        }
    }

    /// Writes a FilterKeyword entity.
    mutating func filterKeyword(_ keyword: Filter.Keyword) {
        object {
            $0.field("id", id: keyword.id)
            $0.field("keyword", keyword.text)
            $0.field("whole_word", keyword.isWholeWord)
        }
    }

    /// Writes a FilterStatus entity.
    mutating func filterStatus(_ entry: Filter.MatchedStatus) {
        object {
            $0.field("id", id: entry.id)
            $0.field("status_id", id: entry.statusID)
        }
    }

    /// Writes a V1::Filter entity: a keyword with the properties of its filter.
    mutating func oldFilter(_ filter: Filter, _ keyword: Filter.Keyword) {
        object {
            $0.field("id", id: keyword.id)
            $0.field("phrase", keyword.text)
            $0.filterContexts(filter)
            $0.field("whole_word", keyword.isWholeWord)
            $0.field("expires_at", time: filter.expiresAt)
            $0.field("irreversible", filter.action == .hide)
        }
    }

    /// Writes the FilterResult entities of a status. As in Mastodon, they contain the filters without their keywords and
    /// statuses.
    mutating func filtered(_ matches: [FilterMatch]) {
        array("filtered") { for match in matches { $0.filterResult(match) } }
    }

    private mutating func filterResult(_ match: FilterMatch) {
        object {
            $0.object("filter") { $0.filterFields(match.filter) }
            $0.key("keyword_matches")
            $0.listOrNull(match.keywords) { $0.string($1) }
            $0.key("status_matches")
            $0.listOrNull(match.statuses) { $0.id($1) }
        }
    }

    private mutating func listOrNull<Element>(
        _ elements: [Element], _ write: (inout JSONWriter, Element) -> Void
    ) {
        guard !elements.isEmpty else { return null() }
        array { for element in elements { write(&$0, element) } }
    }

    private mutating func filterFields(_ filter: Filter) {
        field("id", id: filter.id)
        field("title", filter.title)
        filterContexts(filter)
        field("expires_at", time: filter.expiresAt)
        field("filter_action", filter.action.rawValue)
    }

    private mutating func filterContexts(_ filter: Filter) {
        array("context") { for context in filter.contexts { $0.string(context.rawValue) } }
    }
}
