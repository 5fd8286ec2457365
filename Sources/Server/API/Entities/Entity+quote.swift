extension Entity {
    /// A status that another one quotes.
    public struct Quote: Codable, Sendable, Equatable {
        /// `accepted`, or why the quoted status is not shown, such as `pending`, `revoked` or `deleted` (Mastodon 4.4).
        public var state: String
        public var quoted_status: Indirect<Status>?

        public init(state: String, quoted_status: Status?) {
            self.state = state
            self.quoted_status = quoted_status.map { Indirect($0) }
        }
    }
}

extension Entity.Quote {
    /// Members outside the Mastodon API.
    private enum ExtensionKey: String, CodingKey { case pleroma }

    private struct Pleroma: Decodable {
        let quote: Entity.Indirect<Entity.Status>?
    }

    /// Akkoma and Fedibird send the quoted status itself.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        if let state = try? fields.decode(String.self, forKey: .state) {
            self.state = state
            quoted_status = try? fields.decode(Entity.Indirect<Entity.Status>.self, forKey: .quoted_status)
        } else {
            state = "accepted"
            quoted_status = try Entity.Indirect(from: decoder)
        }
    }

    /// The quote of a status, wherever the server puts it; `nil` if the status has no quote or a faulty one.
    static func decode<Key: CodingKey>(
        _ fields: KeyedDecodingContainer<Key>, _ key: Key, _ decoder: any Decoder
    ) -> Entity.Quote? {
        if let quote = try? fields.decode(Entity.Quote.self, forKey: key) { return quote }
        let more = try? decoder.container(keyedBy: ExtensionKey.self)
        let pleroma = try? more?.decode(Pleroma.self, forKey: .pleroma)
        return pleroma?.quote.map { Entity.Quote(state: "accepted", quoted_status: $0.value) }
    }
}
