import Foundation

/// The libraries that decode images. They are loaded at run time, for images in child processes only: the server runs
/// without them, and never decodes an image itself.
package struct ImageLibraries {
    package var jpeg: JPEGCodec?
    package var png: PNGDecoder?
    package var webP: WebPDecoder?

    /// Loads the libraries that are installed, unless `FEED_WITHOUT=images` hides them.
    package static func load() -> ImageLibraries {
        let hidden = ProcessInfo.processInfo.environment["FEED_WITHOUT"]?.split(separator: ",") ?? []
        guard !hidden.contains("images") else { return ImageLibraries() }
        return ImageLibraries(
            jpeg: load("libturbojpeg.so.0", JPEGCodec.init), png: load("libpng16.so.16", PNGDecoder.init),
            webP: load("libwebp.so.7", WebPDecoder.init))
    }

    /// The formats that none of the libraries decodes, each with the Debian package that is missing.
    package var missingFormats: [String] {
        let libraries = [
            ("JPEG (libturbojpeg0)", jpeg != nil), ("PNG (libpng16-16)", png != nil), ("WebP (libwebp7)", webP != nil),
        ]
        return libraries.filter { !$0.1 }.map(\.0)
    }

    private static func load<Library>(_ name: String, _ make: (LoadedLibrary) throws -> Library) -> Library? {
        dlopen(name, RTLD_NOW).flatMap { try? make(LoadedLibrary(handle: $0)) }
    }
}

/// A library that has been loaded with `dlopen`.
struct LoadedLibrary {
    private struct MissingFunction: Error {}

    fileprivate let handle: UnsafeMutableRawPointer

    /// - Parameter Function: Must be the type that the header of the library declares.
    func find<Function>(_ name: String) throws -> Function {
        guard let symbol = dlsym(handle, name) else { throw MissingFunction() }
        return unsafeBitCast(symbol, to: Function.self)
    }
}

/// The reason why an image was not decoded.
package enum DecodingFailure: Error {
    /// The data is invalid; the reason in the words of the library.
    case damaged(String)
    /// There is not enough memory, or the image exceeds a limit of the library.
    case tooCostly

    /// - Parameter message: The message of a library.
    init(_ message: String) {
        let isLimit = ["memory", "limit", "alloc"].contains { message.lowercased().contains($0) }
        self = isLimit ? .tooCostly : .damaged(message)
    }
}
