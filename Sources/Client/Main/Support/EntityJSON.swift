import FeedClientKit
import Foundation

/// JSON of entities that are printed as they were decoded.
enum EntityJSON {
    /// Prints values, one per line.
    static func print(_ values: [some Encodable]) throws {
        for value in values { Swift.print(try line(value)) }
    }

    /// A value on one line.
    static func line(_ value: some Encodable) throws -> String { JSONText.line(try bytes(value)) }

    static func bytes(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(value))
    }
}
