/// A viewer's filter, which marks the statuses that it matches. It never removes any: what a marked status looks like is
/// decided by the app.
package struct Filter: Sendable, Equatable {
    /// The lists in which a filter applies. The raw values are stored and used in JSON.
    package enum Context: String, Sendable, CaseIterable { case home, notifications, `public`, thread, account }

    /// The action that an app should take on a match. The raw values are stored and used in JSON.
    package enum Action: String, Sendable, CaseIterable { case warn, hide }

    /// A keyword of a filter.
    package struct Keyword: Sendable, Equatable {
        package var id: Int64
        /// The text as entered, without surrounding white space.
        package var text: String
        /// Whether the keyword matches only where a word begins and ends.
        package var isWholeWord: Bool

        package init(id: Int64, text: String, isWholeWord: Bool) {
            self.id = id
            self.text = text
            self.isWholeWord = isWholeWord
        }
    }

    /// A status that a filter matches whatever its text.
    package struct MatchedStatus: Sendable, Equatable {
        /// The id of the entry, not that of the status.
        package var id: Int64
        package var statusID: Int64

        package init(id: Int64, statusID: Int64) {
            self.id = id
            self.statusID = statusID
        }
    }

    package var id: Int64
    package var title: String
    /// In the order of ``Context``; never empty.
    package var contexts: [Context]
    package var action: Action
    /// Milliseconds since 1970, UTC; `nil` if the filter does not expire.
    package var expiresAt: Int64?
    /// Oldest first.
    package var keywords: [Keyword]
    /// Oldest first.
    package var statuses: [MatchedStatus]

    package init(
        id: Int64, title: String, contexts: [Context], action: Action = .warn, expiresAt: Int64? = nil,
        keywords: [Keyword] = [], statuses: [MatchedStatus] = []
    ) {
        self.id = id
        self.title = title
        self.contexts = contexts
        self.action = action
        self.expiresAt = expiresAt
        self.keywords = keywords
        self.statuses = statuses
    }

    /// Whether the filter applies.
    /// - Parameters:
    ///   - context: The place where a status is shown; `nil` if it is unknown, so that the app has to decide.
    ///   - now: Milliseconds since 1970.
    package func isActive(in context: Context?, at now: Int64) -> Bool {
        (context.map(contexts.contains) ?? true) && (expiresAt.map { $0 > now } ?? true)
    }
}

/// A filter that matches a status, and why.
package struct FilterMatch: Sendable, Equatable {
    package let filter: Filter
    /// The matching keywords as entered, in the order of the filter.
    package let keywords: [String]
    /// The ids of the status, or of the boost that shows it, if the filter contains them.
    package let statuses: [Int64]
}

/// A new filter, or changes to one; `nil` leaves a property unchanged.
package struct FilterDraft: Sendable, Equatable {
    /// A new keyword, or changes to one.
    package struct Keyword: Sendable, Equatable {
        /// The changed keyword; `nil` for a new one.
        package var id: Int64?
        package var text: String?
        /// `nil` leaves a keyword unchanged, and makes a new one match whole words.
        package var isWholeWord: Bool?
        package var isRemoved = false

        package init(id: Int64? = nil, text: String? = nil, isWholeWord: Bool? = nil, isRemoved: Bool = false) {
            self.id = id
            self.text = text
            self.isWholeWord = isWholeWord
            self.isRemoved = isRemoved
        }
    }

    /// A change of the expiry.
    package enum Expiry: Sendable, Equatable {
        case never
        /// Milliseconds since 1970, UTC.
        case at(Int64)
    }

    package var title: String?
    package var contexts: [Filter.Context]?
    package var action: Filter.Action?
    package var expiry: Expiry?
    package var keywords: [Keyword] = []

    package init(title: String? = nil, contexts: [Filter.Context]? = nil) {
        self.title = title
        self.contexts = contexts
    }
}
