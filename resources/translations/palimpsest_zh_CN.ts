<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>AppearancePage</name>
    <message>
        <source>Appearance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As the system</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reduce motion</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enter sends</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Theme</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Zoom</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text and everything with it, 80 to 200 percent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Language</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Changes at once</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Motion</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing slides or grows; it is simply there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sending</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Off: Enter makes a new line, and Ctrl+Enter sends</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reset this page</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ChatDelegate</name>
    <message>
        <source>Title of the chat</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ChatListModel</name>
    <message>
        <source>New chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Today</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Previous 7 days</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Older</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fork</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{percent} % of the window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>answering</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Commands</name>
    <message>
        <source>Chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Messages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>View</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find a chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Previous chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Import chats…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write a message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find in this chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop the answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the last answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your message above</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your message below</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show or hide the chats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show or hide the health panel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Larger text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Smaller text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text at its first size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shortcuts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quit</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>Editing a message: sending makes a new version.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Message Palimpsest — Enter to send, Shift+Enter for a new line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop (Esc)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Queue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Send</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Send what waits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next: {text}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take out of the queue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take out of the queue: {text}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ConfirmDialog</name>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>EndpointCard</name>
    <message>
        <source>Test</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove it and its key?</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Errors</name>
    <message>
        <source>Nothing listens at {host}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Is the server running, and is the address right?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The name {host} could not be found.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the address, and whether this computer is online.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No secure connection to {host}: its certificate was not accepted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Behind a company&apos;s proxy, set its CA file at the provider.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The proxy on the way to {host} refused.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the proxy at the provider.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{host} cannot be reached.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the network and the address.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} did not answer in time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} closed the connection before it answered.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The answer of {name} stood still for too long and was ended.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What had arrived is kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} needs a key, and none is set.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enter it at the provider; your text stays here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} did not accept the key.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the key at the provider.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} does not allow this key to use {model}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check what the key may do, or choose another model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The account at {name} has no credit left.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Top it up there, or choose another model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} gets too many requests from this key.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A moment later it may work.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is overloaded.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} had an error of its own.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The conversation is longer than {model} can take.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compress it, or go on in a fork.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} has no model {model!r}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose another model, or fetch the list anew.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} did not take the request.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its own words are below.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The request is larger than {name} takes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compress it, or leave out attachments.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} refused this content.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The connection to {name} broke in the middle of the answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What {name} sent is no answer that can be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Is the address that of the API?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whether {name} answered is not known: the process that asked ended.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A retry may be billed twice.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The process that talks to providers keeps ending.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start the program anew; if it stays so, the log says more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The embedded model did not start.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The built-in responder works in any case.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} failed in a way not known here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another program is using the chats at this moment.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close other windows of this program, then try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The disk is full, so this could not be saved.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make room on the disk, then try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The folder {folder!r} cannot be written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Allow this program to write there, or choose another data folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The database of the chats is damaged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The chats could not be read or written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The chats are closed already.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>These chats were last opened by a newer version of this program.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Install the newest version, or choose another data folder. Nothing was changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This chat does not exist any more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This message does not exist any more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The message before this one does not exist any more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name!r} is not in the vault any more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file {file!r} can&apos;t be written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file {file!r} can&apos;t be opened.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file {file!r} is not JSON.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file {file!r} holds no conversation of a kind that can be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chats as JSON with a list of messages can be read, and what Palimpsest exported.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FieldRow</name>
    <message>
        <source>Saved.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undo the change of {field}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FormView</name>
    <message>
        <source>Add {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Requests go to {address}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where do I get one?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One per line, as Name: value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As the system</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This one:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The system&apos;s certificates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>API key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Extra headers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Proxy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CA file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Address of the proxy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Test</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>•••••••• {last}, kept</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Header</name>
    <message>
        <source>Choose a model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model: {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Title of the chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the model of this chat (Ctrl+M)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Providers and models …</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>HealthPopover</name>
    <message>
        <source>Window unknown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{used} used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{used} used · {free} free</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set the window…</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>HealthWords</name>
    <message>
        <source>window unknown · set…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{percent} % · {used} / {window}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>≈ %n turn(s) left</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Estimated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Context {used} thousand tokens, window unknown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Context {percent} percent, {used} of {window} thousand tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}, estimated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>inactive</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>healthy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>warning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>critical</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>System</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tools</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ledger, summary, notes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Documents</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tool results</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Assistant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reasoning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Media</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Draft</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>KeepingLine</name>
    <message>
        <source>Passphrase</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep encrypted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only for this session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kept in your system&apos;s keyring.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kept in an encrypted file, since this system has no keyring.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keys lie in an encrypted file. Its passphrase opens it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kept until the program ends, since this system has no keyring.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This system has no keyring. A passphrase keeps keys in an encrypted file; without one they last for this session.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Notices</name>
    <message>
        <source>Something went wrong in Palimpsest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is a fault of the program. What you wrote is kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A report helps to mend it; it holds no messages and no keys.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy report</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Provider settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compress</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fork</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy details</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No connection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Broken off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No credit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Provider</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Too long</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Refused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saved chats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>That did not work</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ProblemWords</name>
    <message>
        <source>At least {limit}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>At most {limit}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A whole number, please.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An address starts with http:// or https://.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It needs a name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It needs an address.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One header per line, as Name: value.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A proxy starts with http://, https:// or socks5://.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This value cannot be used.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ProviderWords</name>
    <message>
        <source>Testing…</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n model(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>✓ works · {models} · {ms} ms</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ProvidersPage</name>
    <message>
        <source>Providers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where models come from. Keys stay on this computer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FOUND ON THIS COMPUTER</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ADD A PROVIDER</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>API key, address, proxy, CA file, extra headers</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n model(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Add</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Any other…</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SidebarView</name>
    <message>
        <source>No title holds “{wanted}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your chats will stand here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search the titles</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export as Markdown…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export as JSON…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export the chat</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SidebarViewModel</name>
    <message>
        <source>New chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{title} (copy)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Deleted “{title}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saved as {file}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Assistant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>System</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reasoning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Call</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Result</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Error</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Words</name>
    <message>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copied</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show all {n} lines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show less</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>load image from {host}?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Newest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New text below</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Previous version</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next version</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Notice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Divider</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Status</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reasoning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tool call</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ZoomField</name>
    <message>
        <source>Zoom in percent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Smaller</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Larger</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
