import ArgumentParser
import FeedClientKit
import FeedTerminal
import Foundation

/// Encodes pictures for the terminal. A picture that cannot be decoded, or is too large, is left out.
struct PictureRenderer: Sendable {
    /// The size of an avatar in cells.
    private static let avatarColumns = StatusRenderer.cell - 1, avatarRows = 2
    /// The limits of a PNG that the terminal decodes itself, in pixels and bytes.
    private static let maximumPixels = 1 << 22, maximumBytes = 1 << 19

    let kind: PictureProtocol
    /// The width that is available, in columns.
    let columns: Int
    /// The maximum size of a picture, in cells; these are for one between lines of text.
    var maximumColumns = 48, maximumRows = 16
    var cell = CellSize.current()
    var hasTrueColor = TerminalCapabilities.hasTrueColor()
    var decoder = PictureDecoder()

    /// Whether there are avatars: sixel graphics move the cursor elsewhere, and half blocks are too coarse.
    var showsAvatars: Bool { kind == .kitty || kind == .iterm }

    /// The escape sequence of an avatar, which leaves the cursor after it; see ``showsAvatars``.
    func avatar(_ image: AvatarImage) async -> String? {
        guard let area = area(of: image, Self.avatarColumns, Self.avatarRows) else { return nil }
        switch kind {
        case .kitty:
            return await kitty(image, area, Self.avatarColumns, Self.avatarRows)
                .map { $0 + String(repeating: " ", count: StatusRenderer.cell) }
        case .iterm:
            return ITermEncoder.text(image.bytes, columns: Self.avatarColumns, rows: Self.avatarRows) + " "
        case .sixel, .blocks, .none: return nil
        }
    }

    /// The lines of a picture between lines of text.
    func lines(_ image: AvatarImage) async -> [String] {
        let limit = min(columns, maximumColumns)
        let cell = kind == .blocks ? CellSize.halfBlock : cell
        guard let area = area(of: image, limit, maximumRows, cell) else { return [] }
        switch kind {
        case .kitty:
            // The cursor does not move, so that empty lines make room.
            let space = [String](repeating: "", count: area.rows - 1)
            return await kitty(image, area, area.columns, area.rows).map { [$0] + space } ?? []
        case .iterm: return [ITermEncoder.text(image.bytes, columns: area.columns, rows: area.rows)]
        case .sixel: return await decoder.decode(image.bytes, to: area).map { [SixelEncoder.text($0)] } ?? []
        case .blocks:
            let pixels = await decoder.decode(image.bytes, to: area)
            return pixels.map { HalfBlockEncoder.lines($0, hasTrueColor: hasTrueColor) } ?? []
        case .none: return []
        }
    }

    /// A small PNG is sent as it is, everything else as pixels.
    private func kitty(_ image: AvatarImage, _ area: PictureArea, _ columns: Int, _ rows: Int) async -> String? {
        let pixels = PictureSize(of: image.bytes)?.area ?? .max
        if image.type == .png, image.bytes.count <= Self.maximumBytes, pixels <= Self.maximumPixels {
            return KittyEncoder.text(png: image.bytes, columns: columns, rows: rows)
        }
        let decoded = await decoder.decode(image.bytes, to: area)
        return decoded.map { KittyEncoder.text(pixels: $0, columns: columns, rows: rows) }
    }

    private func area(of image: AvatarImage, _ columns: Int, _ rows: Int, _ cell: CellSize? = nil) -> PictureArea? {
        guard let size = PictureSize(of: image.bytes), size.area <= PictureHelper.maximumPixels else { return nil }
        return PictureArea(of: size, columns: columns, rows: rows, cell: cell ?? self.cell)
    }
}

/// The ways to show pictures.
enum PictureOption: String, ExpressibleByArgument, CaseIterable {
    case auto, none, kitty, iterm, sixel, blocks

    /// The help for the option.
    static let help: ArgumentHelp = """
        Show pictures: auto, none, kitty, iterm, sixel or blocks (colored characters, in any terminal). auto detects \
        the first three of these.
        """

    /// The protocol to use. The user's choice also holds for files and pipes.
    func pictureProtocol(_ screen: TerminalCapabilities) -> PictureProtocol {
        switch self {
        case .auto:
            PictureProtocol.detect(environment: ProcessInfo.processInfo.environment, isTerminal: screen.isOutput)
        case .none: .none
        case .kitty: .kitty
        case .iterm: .iterm
        case .sixel: .sixel
        // Half blocks are not ASCII.
        case .blocks: screen.isASCII ? .none : .blocks
        }
    }
}
