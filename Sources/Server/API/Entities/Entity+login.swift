extension Entity {
    /// A login of an account: a token, without its secret (`tokenInfo` of GoToSocial).
    public struct Login: Codable, Sendable, Equatable {
        public var id: String
        /// ISO 8601.
        public var created_at: String?
        /// ISO 8601; `nil` if the server does not record it.
        public var last_used: String?
        /// The scopes, separated by spaces.
        public var scope: String?
        /// The application that has logged in.
        public var application: Application?

        public init(id: String, created_at: String? = nil, scope: String? = nil, application: Application? = nil) {
            self.id = id
            self.created_at = created_at
            self.scope = scope
            self.application = application
        }
    }
}
