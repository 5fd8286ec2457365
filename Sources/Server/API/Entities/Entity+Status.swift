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
