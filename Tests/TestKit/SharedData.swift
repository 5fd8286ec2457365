import Foundation

/// Input beside a development checkout, outside the project; tests that need it are skipped without it.
package enum SharedData {
    package static func path(_ name: String) -> String? {
        let file = URL(fileURLWithPath: #filePath)
        let root = file.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let candidates = [root.deletingLastPathComponent().appendingPathComponent("shared/data/" + name).path]
        return candidates.first { FileManager.default.fileExists(atPath: $0) }
    }
}
