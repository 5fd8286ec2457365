extension Entity {
    /// A list of accounts.
    public struct List: Codable, Sendable, Equatable {
        public var id: String
        public var title: String
        /// `none`, `list` or `followed`.
        public var replies_policy: String?
        public var exclusive: Bool?
    }
}
