// swift-tools-version: 6.2
import PackageDescription

/// `FEED_TESTS="CoreTests StoreTests"` (set by `make check`) leaves out the other test targets, so that what only they need
/// is not compiled.
let wantedTests = Context.environment["FEED_TESTS"]?.split(separator: " ").map(String.init)

/// `FEED_STRICT=1` (set by `.ci/run`) turns every warning of our own targets into an error.
let strict = Context.environment["FEED_STRICT"] == "1"

/// `FEED_TESTABLE=1` (set by `make test`) lets tests see what is internal in optimized modules. For other packages, that
/// would only take time.
let testable = Context.environment["FEED_TESTABLE"] == "1"

let settings: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        // NonisolatedNonsendingByDefault is off: with the Swift 6.3 optimizer, such a function may resume outside its
        // caller's actor, so that two threads run in the actor at once (related to swiftlang/swift#88157).
    ] + (strict ? [.treatAllWarnings(as: .error)] : [])
    + (testable ? [.unsafeFlags(["-enable-testing"], .when(configuration: .release))] : [])

/// Tests are never optimized: that would take longer than it saves. The module is written by the compilation, since a
/// separate one for it would check all declarations again.
let testSettings =
    settings + [.unsafeFlags(["-Onone", "-no-emit-module-separately-wmo"], .when(configuration: .release))]

let package = Package(
    name: "feed",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "feedserver", targets: ["feedserver"]),
        .executable(name: "feedclient", targets: ["feedclient"]),
        .library(name: "FeedClientKit", targets: ["FeedClientKit"]),
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", exact: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", exact: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-http2", exact: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
    ],
    targets: [
        .systemLibrary(name: "CZlib", path: "Sources/Server/CZlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "CMemory", path: "Sources/Server/CMemory"),
        .target(name: "CSandbox", path: "Sources/Server/CSandbox"),
        .target(
            name: "FeedImages", dependencies: ["CSandbox", "CZlib"], path: "Sources/Server/Images",
            swiftSettings: settings
        ),
        .target(name: "FeedFolders", path: "Sources/Server/Folders", swiftSettings: settings),
        .target(name: "FeedAPI", path: "Sources/Server/API", swiftSettings: settings),
        .target(
            name: "FeedCore",
            dependencies: [
                "FeedAPI",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "DequeModule", package: "swift-collections"),
            ],
            path: "Sources/Server/Core",
            swiftSettings: settings
        ),
        .target(
            name: "FeedStore",
            dependencies: [
                "FeedAPI", "FeedCore", "FeedFolders",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            path: "Sources/Server/Store",
            swiftSettings: settings
        ),
        .target(
            name: "FeedFiles",
            dependencies: [
                "CSandbox", "CZlib", "FeedAPI", "FeedCore", "FeedFolders", "FeedImages",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            path: "Sources/Server/Files",
            swiftSettings: settings
        ),
        .target(
            name: "FeedWeb",
            dependencies: [
                "FeedAPI", "FeedCore", "FeedFiles", "FeedStore",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOExtras", package: "swift-nio-extras"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHPACK", package: "swift-nio-http2"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOTLS", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            path: "Sources/Server/Web",
            swiftSettings: settings
        ),
        .target(
            name: "FeedPublic",
            path: "Public",
            resources: [
                .embedInCode("page.mustache"), .embedInCode("status.mustache"), .embedInCode("head.mustache"),
                .embedInCode("header.mustache"), .embedInCode("footer.mustache"),
                .embedInCode("profile.mustache"), .embedInCode("button.mustache"), .embedInCode("people.mustache"),
                .embedInCode("report.mustache"), .embedInCode("lists.mustache"), .embedInCode("rows.mustache"),
                .embedInCode("form.mustache"), .embedInCode("notifications.mustache"),
                .embedInCode("admin.mustache"), .embedInCode("reset.mustache"),
                .embedInCode("picture.mustache"), .embedInCode("about.mustache"), .embedInCode("apps.mustache"),
                .embedInCode("authorize.mustache"), .embedInCode("join.mustache"), .embedInCode("login.mustache"),
                .embedInCode("compose.mustache"), .embedInCode("deletion.mustache"), .embedInCode("style.css"),
                .embedInCode("script.mustache"), .embedInCode("reader.js"), .embedInCode("words.js"),
                .embedInCode("page.js"), .embedInCode("theme.js"), .embedInCode("switch.js"), .embedInCode("times.js"),
                .embedInCode("reactions.js"), .embedInCode("live.js"), .embedInCode("older.js"),
                .embedInCode("keys.js"), .embedInCode("compose.js"), .embedInCode("uploads.js"),
                .embedInCode("drafts.js"), .embedInCode("offline.js"), .embedInCode("sw.js"),
                .embedInCode("icon.svg"), .embedInCode("icon-512.png"), .embedInCode("apple-touch-icon.png"),
                .embedInCode("favicon.ico"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "feedserver",
            dependencies: [
                "CMemory", "CSandbox", "FeedAPI", "FeedCore", "FeedFiles", "FeedFolders", "FeedImages", "FeedPublic",
                "FeedStore", "FeedTerminal", "FeedWeb",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            path: "Sources/Server/Main",
            swiftSettings: settings
        ),
        .target(
            name: "FeedTerminal", dependencies: [.product(name: "ArgumentParser", package: "swift-argument-parser")],
            path: "Sources/Client/Terminal", swiftSettings: settings),
        .target(
            name: "FeedClientKit",
            dependencies: [
                "FeedAPI", "FeedFolders",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOExtras", package: "swift-nio-extras"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPCompression", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSOCKS", package: "swift-nio-extras"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
            ],
            path: "Sources/Client/Kit",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "feedclient",
            dependencies: [
                "CSandbox", "FeedAPI", "FeedClientKit", "FeedImages", "FeedTerminal",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/Client/Main",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "tour", dependencies: ["FeedClientKit"], path: "Examples/Tour", swiftSettings: settings),
        .target(name: "CSpawn", path: "Tests/CSpawn"),
        .target(name: "TestKit", path: "Tests/TestKit", swiftSettings: testSettings),
        .target(
            name: "FeedTestSupport",
            dependencies: [
                "CSpawn", "FeedAPI", "FeedCore", "FeedStore", "FeedFiles", "FeedImages", "FeedWeb", "TestKit",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            path: "Tests/Support",
            swiftSettings: testSettings
        ),
        .testTarget(name: "APITests", dependencies: ["FeedAPI", "TestKit"], swiftSettings: testSettings),
        .testTarget(name: "CoreTests", dependencies: ["FeedCore", "TestKit"], swiftSettings: testSettings),
        .testTarget(
            name: "StoreTests",
            dependencies: [
                "FeedCore", "FeedFolders", "FeedStore", "FeedTestSupport", "TestKit", "feedserver",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "WebTests",
            dependencies: [
                "FeedAPI", "FeedCore", "FeedFiles", "FeedStore", "FeedWeb", "FeedTestSupport", "TestKit",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHPACK", package: "swift-nio-http2"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "EndToEnd",
            dependencies: [
                "feedserver", "feedclient", "tour", "FeedCore", "FeedFiles", "FeedImages", "FeedStore",
                "FeedTestSupport", "FeedWeb", "TestKit",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            path: "Tests/EndToEnd",
            exclude: [
                "CommandLine/Golden", "Feeds/Drivers", "Mastodon/Drivers", "Monitoring/Drivers", "Operating/Counts",
                "Operating/Faults", "Pages/Drivers", "TLS/Drivers",
            ],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "FilesTests",
            dependencies: [
                "FeedAPI", "FeedCore", "FeedFiles", "FeedFolders", "FeedImages", "FeedTestSupport", "TestKit",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "ClientTests",
            dependencies: [
                "feedclient", "FeedAPI", "FeedClientKit", "FeedImages", "FeedTerminal", "FeedTestSupport", "TestKit",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
            ],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "TerminalTests", dependencies: ["FeedTerminal", "TestKit"], exclude: ["Reader/Golden"],
            swiftSettings: testSettings),
    ]
)

if let wantedTests {
    package.targets.removeAll { $0.type == .test && !wantedTests.contains($0.name) }
}
