extension Entity {
    /// The poll of a status.
    ///
    /// Only the id is required. A member of an unexpected type counts as missing, because the status should remain
    /// readable.
    public struct Poll: Codable, Sendable, Equatable {
        /// An answer to choose.
        public struct Option: Codable, Sendable, Equatable {
            public var title: String
            /// `nil` while the server hides the results.
            public var votes_count: Int?

            public init(title: String, votes_count: Int? = nil) {
                self.title = title
                self.votes_count = votes_count
            }
        }

        public var id: String
        /// ISO 8601; `nil` if the poll does not end.
        public var expires_at: String?
        /// Whether the poll has ended.
        public var expired: Bool?
        /// Whether a voter may choose several options.
        public var multiple: Bool?
        public var votes_count: Int?
        public var voters_count: Int?
        /// Whether this account has voted; the author counts as having voted.
        public var voted: Bool?
        /// The numbers of the options that this account has chosen, from 0.
        public var own_votes: [Int]?
        public var options: [Option]

        public init(id: String, options: [Option]) {
            self.id = id
            self.options = options
        }
    }
}

extension Entity.Poll {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(String.self, forKey: .id)
        expires_at = try? container.decode(String.self, forKey: .expires_at)
        expired = try? container.decode(Bool.self, forKey: .expired)
        multiple = try? container.decode(Bool.self, forKey: .multiple)
        votes_count = try? container.decode(Int.self, forKey: .votes_count)
        voters_count = try? container.decode(Int.self, forKey: .voters_count)
        voted = try? container.decode(Bool.self, forKey: .voted)
        own_votes = try? container.decode([Int].self, forKey: .own_votes)
        options = (try? container.decode([Option].self, forKey: .options)) ?? []
    }
}

extension Entity.Poll.Option {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        title = try container.decode(String.self, forKey: .title)
        votes_count = try? container.decode(Int.self, forKey: .votes_count)
    }
}
