import FeedClientKit
import FeedTerminal
import Foundation

/// Loads pictures through the cache, and encodes them for the terminal.
struct ReaderPictureLoader: Sendable {
    let global: GlobalOptions

    /// How the terminal shows a picture on the whole screen. Between the lines of the detail, only colored characters can
    /// be scrolled and covered.
    static func pictureProtocol(_ screen: TerminalCapabilities) -> PictureProtocol {
        guard screen.hasColor, !screen.isASCII else { return .none }
        let kind = ImageOption.auto.pictureProtocol(screen)
        return kind == .none ? .blocks : kind
    }

    /// The lines of a picture beside text; none if there is no picture.
    func lines(_ address: String, columns: Int, rows: Int) async -> [String] {
        let columns = max(1, columns - StatusRenderer.cell)
        var encoder = PictureEncoder(kind: .blocks, columns: columns)
        encoder.maximumRows = rows
        return await load(address, encoder)
    }

    /// A picture on the whole screen.
    func picture(_ address: String, columns: Int, rows: Int) async -> ReaderPicture {
        let kind = Self.pictureProtocol(.current())
        var encoder = PictureEncoder(kind: kind, columns: columns)
        (encoder.maximumColumns, encoder.maximumRows) = (columns, rows)
        let lines = await load(address, encoder)
        guard let first = lines.first else { return .missing }
        return kind == .blocks ? .lines(lines) : .sequence(first)
    }

    private func load(_ address: String, _ encoder: PictureEncoder) async -> [String] {
        var lines: [String] = []
        try? await PictureLoader(global: global).load([address]) { _, image in lines = await encoder.lines(image) }
        return lines
    }
}
