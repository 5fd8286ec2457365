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
