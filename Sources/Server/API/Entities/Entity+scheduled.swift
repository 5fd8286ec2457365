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
