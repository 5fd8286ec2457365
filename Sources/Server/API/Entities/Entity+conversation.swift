extension Entity {
    /// A thread of direct statuses.
    public struct Conversation: Codable, Sendable, Equatable {
        public var id: String
        public var unread: Bool
        /// The other accounts that take part.
        public var accounts: [Account]
        /// `nil` if it has been deleted.
        public var last_status: Status?

        public init(id: String, unread: Bool, accounts: [Account], last_status: Status? = nil) {
            self.id = id
            self.unread = unread
            self.accounts = accounts
            self.last_status = last_status
        }

        public init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            id = try fields.id(.id)
            unread = try fields.value(.unread, or: false)
            accounts = try fields.value(.accounts, or: [])
            last_status = try fields.decodeIfPresent(Status.self, forKey: .last_status)
        }
    }
}
