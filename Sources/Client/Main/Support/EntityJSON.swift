import FeedClientKit
import Foundation

/// JSON of entities that are printed as they were decoded.
enum EntityJSON {
    /// A value on one line.
    static func line(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return JSONText.line(try encoder.encode(value))
    }
}
