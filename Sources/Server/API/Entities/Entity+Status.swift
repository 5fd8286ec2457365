extension Entity {
    /// A status. A boost is a status whose ``reblog`` holds the boosted status.
    public struct Status: Codable, Sendable, Equatable {
        public var id: String
        public var uri: String?
        public var url: String?
        public var created_at: String
        public var edited_at: String?
        public var account: Account
        public var content: String
        public var visibility: String
        public var sensitive: Bool?
        public var spoiler_text: String
        public var language: String?
        public var application: Application?
        public var media_attachments: [MediaAttachment]?
        public var poll: Poll?
        public var card: PreviewCard?
        public var quote: Quote?
        public var mentions: [Mention]
        public var tags: [Tag]
        public var in_reply_to_id: String?
        public var in_reply_to_account_id: String?
        public var replies_count: Int?
        public var reblogs_count: Int?
        public var favourites_count: Int?
        public var text: String?
        /// The filters of the viewer that the status matches.
        public var filtered: [FilterResult]?
        public var reblog: Indirect<Status>?
    }
}

extension Entity.Status {
    /// A status with only its essential fields set.
    public init(
        id: String, created_at: String, account: Entity.Account, content: String, visibility: String,
        spoiler_text: String, application: Entity.Application?, mentions: [Entity.Mention], tags: [Entity.Tag]
    ) {
        self.id = id
        self.created_at = created_at
        self.account = account
        self.content = content
        self.visibility = visibility
        self.spoiler_text = spoiler_text
        self.application = application
        self.mentions = mentions
        self.tags = tags
    }
}

extension Entity.Status {
    /// A missing member gets its most common value: servers omit members that they do not know, and send `null`
    /// for those that are empty. A faulty mention, hashtag or file is left out.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        id = try fields.id(.id)
        uri = try fields.decodeIfPresent(String.self, forKey: .uri)
        url = try fields.decodeIfPresent(String.self, forKey: .url)
        created_at = try fields.decode(String.self, forKey: .created_at)
        edited_at = try fields.decodeIfPresent(String.self, forKey: .edited_at)
        account = try fields.decode(Entity.Account.self, forKey: .account)
        poll = try fields.decodeIfPresent(Entity.Poll.self, forKey: .poll)
        card = try? fields.decode(Entity.PreviewCard.self, forKey: .card)
        quote = Entity.Quote.decode(fields, .quote, decoder)
        content = try fields.value(.content, or: "")
        visibility = try fields.value(.visibility, or: "public")
        sensitive = try fields.decodeIfPresent(Bool.self, forKey: .sensitive)
        spoiler_text = try fields.value(.spoiler_text, or: "")
        language = try fields.decodeIfPresent(String.self, forKey: .language)
        application = try fields.decodeIfPresent(Entity.Application.self, forKey: .application)
        media_attachments = try fields.list(.media_attachments)
        mentions = try fields.list(.mentions) ?? []
        tags = try fields.list(.tags) ?? []
        in_reply_to_id = try fields.idIfPresent(.in_reply_to_id)
        in_reply_to_account_id = try fields.idIfPresent(.in_reply_to_account_id)
        replies_count = try fields.decodeIfPresent(Int.self, forKey: .replies_count)
        reblogs_count = try fields.decodeIfPresent(Int.self, forKey: .reblogs_count)
        favourites_count = try fields.decodeIfPresent(Int.self, forKey: .favourites_count)
        text = try fields.decodeIfPresent(String.self, forKey: .text)
        filtered = (try? fields.list(.filtered)) ?? nil
        reblog = try fields.decodeIfPresent(Entity.Indirect<Entity.Status>.self, forKey: .reblog)
    }
}

extension Entity {
    /// The preview of a page that a status links to. Members of an unexpected type count as missing.
    public struct PreviewCard: Codable, Sendable, Equatable {
        public var url: String?
        public var title: String?
        public var description: String?
        public var author_name: String?
        public var provider_name: String?

        public init(url: String?, title: String?) {
            self.url = url
            self.title = title
        }
    }
}

extension Entity.PreviewCard {
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        url = try? fields.decode(String.self, forKey: .url)
        title = try? fields.decode(String.self, forKey: .title)
        description = try? fields.decode(String.self, forKey: .description)
        author_name = try? fields.decode(String.self, forKey: .author_name)
        provider_name = try? fields.decode(String.self, forKey: .provider_name)
    }
}

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

extension Entity {
    /// A filter of the viewer that a status matches.
    public struct FilterResult: Codable, Sendable, Equatable {
        /// The filter, without its keywords.
        public struct Filter: Codable, Sendable, Equatable {
            public var title: String
            /// The contexts in which the filter applies, such as `home`; empty if the server does not send them.
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

extension Entity {
    /// A status that the server will publish at a later time.
    public struct ScheduledStatus: Codable, Sendable, Equatable {
        /// The parameters of the status. Members of an unexpected type count as missing.
        public struct Parameters: Codable, Sendable, Equatable {
            public var text: String?
            public var spoiler_text: String?
            public var visibility: String?
        }

        public var id: String
        public var scheduled_at: String
        public var params: Parameters
        public var media_attachments: [MediaAttachment]?
    }
}

extension Entity.ScheduledStatus.Parameters {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        text = try? container.decode(String.self, forKey: .text)
        spoiler_text = try? container.decode(String.self, forKey: .spoiler_text)
        visibility = try? container.decode(String.self, forKey: .visibility)
    }
}
