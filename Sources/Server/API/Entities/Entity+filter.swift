extension Entity {
    /// A filter of the viewer that a status matches.
    public struct FilterResult: Codable, Sendable, Equatable {
        /// The filter, without its keywords.
        public struct Filter: Codable, Sendable, Equatable {
            public var title: String
            /// Where the filter applies, such as `home`; empty if the server does not say so.
            public var context: [String]
            /// `warn`, `hide` or `blur`.
            public var filter_action: String

            public init(title: String, context: [String] = [], filter_action: String) {
                self.title = title
                self.context = context
                self.filter_action = filter_action
            }
        }

        public var filter: Filter

        public init(filter: Filter) { self.filter = filter }
    }
}

extension Entity.FilterResult.Filter {
    /// A missing member gets its most common value.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        title = try fields.value(.title, or: "")
        context = try fields.value(.context, or: [])
        filter_action = try fields.value(.filter_action, or: "warn")
    }
}
