public import FeedAPI
import Foundation

/// A file on the disk that is to be attached to a status.
public struct MediaFile: Codable, Sendable, Equatable {
    public var path: String
    /// A description for people who cannot see the picture or hear the recording (alt text).
    public var description: String?
    /// The point that stays visible when the picture is cropped.
    public var focus: Entity.MediaAttachment.Focus?

    public init(_ path: String, description: String? = nil, focus: Entity.MediaAttachment.Focus? = nil) {
        self.path = path
        self.description = description
        self.focus = focus
    }

    var name: String { URL(fileURLWithPath: path).lastPathComponent }
}

extension Entity.MediaAttachment.Focus {
    /// The value of the parameter `focus`.
    var parameter: String { "\(x),\(y)" }
}
