extension Entity {
    /// A media file that is attached to a status, or that has been uploaded for one.
    ///
    /// Only the id is required: servers omit the other members, or send `null`, and differ in what `meta` holds. A
    /// member of an unexpected type counts as missing, because the status should remain readable.
    public struct MediaAttachment: Codable, Sendable, Equatable {
        /// The point that stays visible when the picture is cropped: from -1 (left, bottom) to 1 (right, top).
        public struct Focus: Codable, Sendable, Equatable {
            public var x: Double
            public var y: Double

            public init(x: Double, y: Double) {
                self.x = x
                self.y = y
            }
        }

        /// The properties of a file.
        public struct Size: Codable, Sendable, Equatable {
            /// In pixels.
            public var width: Int?
            /// In pixels.
            public var height: Int?
            /// In seconds.
            public var duration: Double?
        }

        /// The properties of the file and of its preview.
        public struct Meta: Codable, Sendable, Equatable {
            public var original: Size?
            public var small: Size?
            public var focus: Focus?
        }

        public var id: String
        /// `image`, `gifv`, `video`, `audio` or `unknown`.
        public var type: String
        /// `nil` while the server processes the file.
        public var url: String?
        public var preview_url: String?
        public var meta: Meta?
        public var description: String?
        public var blurhash: String?

        public init(id: String, type: String) {
            self.id = id
            self.type = type
        }
    }
}

extension Entity.MediaAttachment {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(String.self, forKey: .id)
        type = (try? container.decode(String.self, forKey: .type)) ?? "unknown"
        url = try? container.decode(String.self, forKey: .url)
        preview_url = try? container.decode(String.self, forKey: .preview_url)
        meta = try? container.decode(Meta.self, forKey: .meta)
        description = try? container.decode(String.self, forKey: .description)
        blurhash = try? container.decode(String.self, forKey: .blurhash)
    }
}

extension Entity.MediaAttachment.Meta {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        original = try? container.decode(Entity.MediaAttachment.Size.self, forKey: .original)
        small = try? container.decode(Entity.MediaAttachment.Size.self, forKey: .small)
        focus = try? container.decode(Entity.MediaAttachment.Focus.self, forKey: .focus)
    }
}

extension Entity.MediaAttachment.Size {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        width = try? container.decode(Int.self, forKey: .width)
        height = try? container.decode(Int.self, forKey: .height)
        duration = try? container.decode(Double.self, forKey: .duration)
    }
}
