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
